// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
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

    /**
     * A load of one entry by one thread of this process, the leader, for all threads that wait for it. The leader calls
     * {@link #begin} before it reads the entry or calls the loader, and always ends the flight. Thread-safe.
     */
    static final class Flight<V> {
        /** The stamp of the lease under which the loader is called, 0 for none; null until the entry is read. */
        private volatile @Nullable Long lease;

        private volatile boolean shared;

        /** How long the leader waited for the entry's partition; known when the flight has ended. */
        private volatile Duration spent = Duration.ZERO;

        private final CompletableFuture<LoadResult<V>> result = new CompletableFuture<>();

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
        boolean mayAnswer(long seenMark) {
            Long begun = lease;
            return begun == null || (begun != 0 && begun == seenMark);
        }

        void spent(Duration onPartitions) {
            spent = onPartitions;
        }

        Duration spent() {
            return spent;
        }

        /** Returns the future result. It never fails. */
        CompletableFuture<LoadResult<V>> result() {
            return result;
        }

        void share() {
            shared = true;
        }

        boolean isShared() {
            return shared;
        }

        void end(LoadResult<V> how) {
            result.complete(how);
        }
    }

    /**
     * The part of a read of a missing entry in the loads of this entry in this process. {@code ahead} is for
     * {@code LEAD_NEXT}.
     */
    record Participation<V>(
            Role role, Flight<V> flight, @Nullable Flight<V> ahead) {
        enum Role {
            /** Load, and always end the flight. */
            LEAD,
            /**
             * Wait for the load ahead, which may be older than the state that the read has seen; then load for all waiters.
             */
            LEAD_NEXT,
            SHARE
        }

        static <V> Participation<V> of(Role role, Flight<V> flight) {
            return new Participation<>(role, flight, null);
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
        LoadResult<V> copied(UnaryOperator<V> copier) {
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
