// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
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
final class SingleFlights<V> {
    private final ConcurrentMap<EncodedKey, Flights<V>> flights = new ConcurrentHashMap<>();
    private final UnaryOperator<V> copier;

    SingleFlights(UnaryOperator<V> copier) {
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
    }

    /**
     * The part of a thread in the loads of an entry. A leader loads, and always ends its flight, after it has waited for
     * the flight {@code ahead}, if there is one, which may be older than the state that the thread has seen. Other threads
     * wait for the flight.
     */
    record Participation<V>(
            Flight<V> flight, boolean leads, @Nullable Flight<V> ahead) {}

    /**
     * Leads a new flight, or takes part in a present one. {@code seenMark} is the stamp that the reader saw, 0 for
     * none.
     */
    Participation<V> join(EncodedKey key, long seenMark) {
        AtomicReference<@Nullable Participation<V>> made = new AtomicReference<>();
        flights.compute(key, (same, present) -> {
            Flight<V> shared = present == null ? null : present.thatMayAnswer(seenMark);
            if (shared != null) {
                shared.shared = true;
                made.set(new Participation<>(shared, false, null));
                return present;
            }
            Flight<V> mine = new Flight<>();
            if (present == null) {
                made.set(new Participation<>(mine, true, null));
                return new Flights<>(mine, null);
            }
            Flight<V> ahead = present.next == null ? present.first : present.next;
            made.set(new Participation<>(mine, true, ahead));
            return new Flights<>(ahead, mine);
        });
        return Objects.requireNonNull(made.get());
    }

    V copy(V value) {
        return copier.apply(value);
    }

    /** Leads a new flight, or returns null if there is one. */
    @Nullable
    Participation<V> leadIfNone(EncodedKey key) {
        Flight<V> mine = new Flight<>();
        return flights.putIfAbsent(key, new Flights<>(mine, null)) == null
                ? new Participation<>(mine, true, null)
                : null;
    }

    /**
     * Ends a flight that this thread leads, unless it has ended. Waiting threads get a copy of the value, as this
     * thread may modify its own at once.
     */
    void end(EncodedKey key, Flight<V> flight, LoadResult<V> result) {
        // Remove first: a thread that looks again after the end must not find the flight. After that, no thread can
        // join, so it is known whether a copy is needed.
        flights.computeIfPresent(key, (same, present) -> without(present, flight));
        flight.result.complete(flight.shared ? result.copied(copier) : result);
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

    /**
     * A load of one entry by one thread of this process, the leader, for all threads that wait for it. The leader calls
     * {@link #begin} before it reads the entry or calls the loader, and always ends the flight. Thread-safe.
     */
    static final class Flight<V> {
        /** The stamp of the lease under which the loader is called, 0 for none; null until the entry is read. */
        private volatile @Nullable Long lease;

        private volatile boolean shared;
        /** How long the leader waited for the entry's partition; known when the flight has ended. */
        volatile Duration spent = Duration.ZERO;
        /** It never fails. */
        final CompletableFuture<LoadResult<V>> result = new CompletableFuture<>();

        /**
         * Records that the result depends on reads and loads from now on, under a lease or on an entry with this stamp, or
         * 0.
         */
        void begin(long underLease) {
            lease = underLease;
        }

        /**
         * Returns whether the result may answer a new read that saw this stamp of a lease or entry, 0 for none. It may if
         * the leader has not read anything yet, or if the lease still exists: then the entry has not changed since the
         * loader was called. Otherwise the result may be older than a change that the reader knows of.
         */
        private boolean mayAnswer(long seenMark) {
            Long begun = lease;
            return begun == null || (begun != 0 && begun == seenMark);
        }
    }

    /** The result of a load for waiting threads. If it is not known, they have to load by themselves. */
    record LoadResult<V>(
            boolean isKnown, @Nullable V value, @Nullable RuntimeException failure) {
        static <V> LoadResult<V> of(@Nullable V value) {
            return new LoadResult<>(true, value, null);
        }

        static <V> LoadResult<V> failed(RuntimeException failure) {
            return new LoadResult<>(true, null, failure);
        }

        /** Returns the result of a load that no other thread may use. */
        static <V> LoadResult<V> unknown() {
            return new LoadResult<>(false, null, null);
        }

        /** Returns this result with a copy of the value, or a failure if it cannot be copied. */
        private LoadResult<V> copied(UnaryOperator<V> copier) {
            if (value == null) {
                return this;
            }
            try {
                return of(copier.apply(value));
            } catch (RuntimeException e) {
                return failed(e);
            }
        }
    }
}
