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
 * The running loads of this process, one at a time for each entry (<i>single flight</i>). A thread that misses an entry
 * during a load shares this load unless it may return an older value than one that the thread knows of; then it shares
 * the next load. So each thread waits for at most two loads. Only entries that are being loaded take memory. The
 * methods do not block. Thread-safe.
 */
public final class SingleFlights<V> {
    private final ConcurrentMap<EncodedKey, Flights<V>> flights = new ConcurrentHashMap<>();
    private final UnaryOperator<V> copier;

    public SingleFlights(UnaryOperator<V> copier) {
        this.copier = copier;
    }

    /**
     * The flights of one entry. The next one follows when the first has ended, or its own leader has waited too long.
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
     * Leads a new flight, or takes part in a present one. {@code seenMark} is the stamp that the reader saw, 0 for
     * none.
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
     * Ends a flight that this thread leads, unless it has ended. Waiting threads get a copy of the value, as this
     * thread may modify its own at once.
     */
    void end(EncodedKey key, Flight<V> flight, LoadResult<V> result) {
        // Remove first: a thread that looks again after the end must not find the flight. After that, no thread can
        // join, so it is known whether a copy is needed.
        flights.computeIfPresent(key, (same, present) -> without(present, flight));
        flight.end(flight.isShared() ? result.copied(copier) : result);
    }

    @SuppressWarnings({"NullAway", "ReferenceEquality"}) // null removes the mapping; flights have identity
    private static <V> Flights<V> without(Flights<V> present, Flight<V> flight) {
        if (present.first == flight) {
            return present.next == null ? null : new Flights<>(present.next, null);
        }
        return present.next == flight ? new Flights<>(present.first, null) : present;
    }

    int size() {
        return flights.size();
    }
}
