// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.partition.EncodedKey;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The loads under way in this process, one at a time for each entry. Those who miss an entry while it is being loaded share
 * that load if it cannot show them an older value than one they know of; otherwise they share the next one. So each waits
 * for two loads at most.
 *
 * <p>Memory is held for the entries that are being loaded, no others. Nothing here blocks. Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public final class Flights<V> {
    private final ConcurrentMap<EncodedKey, Runway<V>> runways = new ConcurrentHashMap<>();
    private final UnaryOperator<V> copier;

    /** @param copier makes a value that shares nothing with the given one */
    public Flights(UnaryOperator<V> copier) {
        this.copier = copier;
    }

    /**
     * The flights of one entry.
     *
     * @param next follows when the first has ended, or when its leader has waited too long for that
     */
    private record Runway<V>(Flight<V> first, @Nullable Flight<V> next) {
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
    public Boarding<V> board(EncodedKey key, long seenMark) {
        AtomicReference<@Nullable Boarding<V>> boarding = new AtomicReference<>();
        runways.compute(key, (same, present) -> {
            if (present == null) {
                Flight<V> mine = new Flight<>();
                boarding.set(Boarding.of(Boarding.Role.LEAD, mine));
                return new Runway<>(mine, null);
            }
            Flight<V> joined = present.thatMayAnswer(seenMark);
            if (joined != null) {
                joined.share();
                boarding.set(Boarding.of(Boarding.Role.JOIN, joined));
                return present;
            }
            Flight<V> mine = new Flight<>();
            boarding.set(new Boarding<>(Boarding.Role.FOLLOW, mine, present.last()));
            return new Runway<>(present.last(), mine);
        });
        Boarding<V> made = boarding.get();
        if (made == null) {
            throw new IllegalStateException("The map did not ask");
        }
        return made;
    }

    /** Leads a new flight, or returns empty if there is one. */
    public Optional<Flight<V>> leadIfNone(EncodedKey key) {
        Flight<V> mine = new Flight<>();
        return runways.putIfAbsent(key, new Runway<>(mine, null)) == null ? Optional.of(mine) : Optional.empty();
    }

    /**
     * Ends a flight that this thread leads: those who wait for it go on. They get a copy of the value, as the thread that
     * loaded it may change its own at once. Does nothing if the flight has ended.
     */
    public void land(EncodedKey key, Flight<V> flight, Landing<V> landing) {
        // First away, then done: who looks again because it has ended must not find it still here. And nobody can join
        // any more, so that it is known whether a copy is needed.
        runways.computeIfPresent(key, (same, present) -> without(present, flight));
        flight.land(flight.isShared() ? landing.copied(copier) : landing);
    }

    @SuppressWarnings({"NullAway", "ReferenceEquality"}) // null removes the mapping; flights have no value
    private static <V> Runway<V> without(Runway<V> present, Flight<V> flight) {
        if (present.first == flight) {
            return present.next == null ? null : new Runway<>(present.next, null);
        }
        return present.next == flight ? new Runway<>(present.first, null) : present;
    }

    /** Returns how many entries are being loaded. */
    public int size() {
        return runways.size();
    }
}
