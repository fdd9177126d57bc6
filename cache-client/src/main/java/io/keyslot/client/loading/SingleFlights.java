// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.stored.EncodedKey;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The loads under way in this process, one at a time for each entry (<i>single flight</i>). Those who miss an entry while it is being loaded share
 * that load if it cannot show them an older value than one they know of; otherwise they share the next one. So each waits
 * for two loads at most.
 *
 * <p>Memory is held for the entries that are being loaded, no others. Nothing here blocks. Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public final class SingleFlights<V> {
    private final ConcurrentMap<EncodedKey, Flights<V>> flights = new ConcurrentHashMap<>();
    private final UnaryOperator<V> copier;

    /** @param copier makes a value that shares nothing with the given one */
    public SingleFlights(UnaryOperator<V> copier) {
        this.copier = copier;
    }

    /**
     * The flights of one entry.
     *
     * @param next follows when the first has ended, or when its leader has waited too long for that
     */
    private record Flights<V>(Flight<V> first, @Nullable Flight<V> next) {
        @Nullable
        Flight<V> thatMayAnswer(long seenMark) {
            if (first.mayAnswer(seenMark)) {
                return first;
            }
            return next != null && next.mayAnswer(seenMark) ? next : null;
        }

        Flight<V> last() {
            return next == null ? first : next;
        }
    }

    /**
     * Leads a new flight if there is none, or says what to do with those under way.
     *
     * @param seenMark the stamp of the lease or entry that the reader saw, 0 for none
     */
    Participation<V> join(EncodedKey key, long seenMark) {
        AtomicReference<@Nullable Participation<V>> made = new AtomicReference<>();
        flights.compute(key, (same, present) -> {
            if (present == null) {
                Flight<V> mine = new Flight<>();
                made.set(Participation.of(Participation.Role.LEAD, mine));
                return new Flights<>(mine, null);
            }
            Flight<V> shared = present.thatMayAnswer(seenMark);
            if (shared != null) {
                shared.share();
                made.set(Participation.of(Participation.Role.SHARE, shared));
                return present;
            }
            Flight<V> mine = new Flight<>();
            made.set(new Participation<>(Participation.Role.LEAD_NEXT, mine, present.last()));
            return new Flights<>(present.last(), mine);
        });
        return Objects.requireNonNull(made.get());
    }

    /** Returns an equal value that shares nothing with this one. */
    V copy(V value) {
        return copier.apply(value);
    }

    /** Leads a new flight, or returns empty if there is one. */
    Optional<Participation<V>> leadIfNone(EncodedKey key) {
        Flight<V> mine = new Flight<>();
        return flights.putIfAbsent(key, new Flights<>(mine, null)) == null
                ? Optional.of(Participation.of(Participation.Role.LEAD, mine))
                : Optional.empty();
    }

    /**
     * Ends a flight that this thread leads: those who wait for it go on. They get a copy of the value, as the thread that
     * loaded it may change its own at once. Does nothing if the flight has ended.
     */
    void end(EncodedKey key, Flight<V> flight, LoadResult<V> result) {
        // First away, then done: who looks again because it has ended must not find it still here. And nobody can join
        // any more, so that it is known whether a copy is needed.
        flights.computeIfPresent(key, (same, present) -> without(present, flight));
        flight.end(flight.isShared() ? result.copied(copier) : result);
    }

    @SuppressWarnings({"NullAway", "ReferenceEquality"}) // null removes the mapping; flights have no value
    private static <V> Flights<V> without(Flights<V> present, Flight<V> flight) {
        if (present.first == flight) {
            return present.next == null ? null : new Flights<>(present.next, null);
        }
        return present.next == flight ? new Flights<>(present.first, null) : present;
    }

    /** Returns how many entries are being loaded. */
    int size() {
        return flights.size();
    }
}
