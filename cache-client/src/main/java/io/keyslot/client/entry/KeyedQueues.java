// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Locks entries among the threads of this process, in fair order. So conflicts come from other processes only, a slow
 * processor runs once for all threads that wait for its result, and listeners receive the events of an entry in order.
 * <ul>
 * <li>The stamp makes a change atomic, not the lock. A thread that has waited for the maximum time continues without
 * it.
 * <li>A thread that has locked one entry waits only briefly for another, so that processors do not deadlock.
 * </ul>
 *
 * <p>Only entries that are being changed take memory. Thread-safe.
 */
public final class KeyedQueues {
    /** The longest wait for code of the application in another thread. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    /** The longest wait of a thread that holds another lock. */
    private static final Duration LONGEST_NESTED_WAIT = Duration.ofMillis(20);

    private final ConcurrentMap<EncodedKey, Queue> queues = new ConcurrentHashMap<>();
    private final Waiter waiter;
    private final Ticker ticker;
    private final Duration longestWait;
    private final Duration longestNestedWait;

    public KeyedQueues(Waiter waiter, Ticker ticker) {
        this(waiter, ticker, LONGEST_WAIT, LONGEST_NESTED_WAIT);
    }

    /** Creates queues in which a thread with a lock of an entry waits at most {@code longestNestedWait} for another. */
    public KeyedQueues(Waiter waiter, Ticker ticker, Duration longestWait, Duration longestNestedWait) {
        this.waiter = waiter;
        this.ticker = ticker;
        this.longestWait = longestWait;
        this.longestNestedWait = longestNestedWait;
    }

    public <T> T inTurn(EncodedKey key, Supplier<T> change) {
        try (Standing turn = enter(key)) {
            return change.get();
        }
    }

    public Standing enter(EncodedKey key) {
        return new Standing().enter(key);
    }

    /** Waits for the locks of all of these entries, in the same order in all threads. */
    public Standing enter(List<EncodedKey> keys) {
        Standing turn = new Standing();
        keys.stream().distinct().sorted(Comparator.comparing(EncodedKey::text)).forEach(key -> turn.enter(key));
        return turn;
    }

    /** The locks of a thread, until they are closed. For use by that thread. */
    public final class Standing implements AutoCloseable {
        private final Deadline longest = Deadline.after(ticker, isNested() ? longestNestedWait : longestWait);
        private final CallScope scope = CallScope.enter(this);
        private @Nullable Place last;

        private static boolean isNested() {
            return CallScope.isWithin(Standing.class::isInstance);
        }

        private Standing enter(EncodedKey key) {
            Queue queue = queues.compute(key, (same, present) -> present == null ? new Queue() : present.joined());
            try {
                boolean entered = waiter.awaitTurn(queue.lock, longest);
                last = new Place(key, entered ? queue : null, last);
                return this;
            } catch (RuntimeException | Error e) {
                last = new Place(key, null, last);
                close();
                throw e;
            }
        }

        /** Returns whether the thread has all locks, and does not continue without one. */
        public boolean hasAll() {
            for (Place place = last; place != null; place = place.before) {
                if (place.entered == null) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void close() {
            for (Place place = last; place != null; place = place.before) {
                if (place.entered != null) {
                    place.entered.lock.unlock();
                }
                queues.computeIfPresent(place.key, (same, present) -> present.left());
            }
            scope.close();
        }
    }

    /** A place in the queue of an entry; {@code entered} is null if the thread continues without the lock. */
    private record Place(
            EncodedKey key,
            @Nullable Queue entered,
            @Nullable Place before) {}

    int size() {
        return queues.size();
    }

    /** A lock and the number of its holders and waiters, which changes only inside an update of the map. */
    private static final class Queue {
        private final ReentrantLock lock = new ReentrantLock(true);
        private int threads = 1;

        Queue joined() {
            threads++;
            return this;
        }

        @SuppressWarnings("NullAway") // null removes the mapping
        Queue left() {
            threads--;
            return threads == 0 ? null : this;
        }
    }
}
