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
 * Lets the threads of this process change an entry one after the other, so that conflicts come from other processes only,
 * a slow processor runs once for all who wait for its result, and events of an entry are told in the order of its
 * changes.
 *
 * <ul>
 *   <li>It is a queue, not a guard: the stamp is what makes a change atomic. Who waits longer than the bound goes on.
 *   <li>A thread that already stands in the queue of one entry waits only briefly for that of another, so that two
 *       processors that call each other's entries do not wait for each other for ever.
 *   <li>Memory is held for the entries that are being changed, no others.
 * </ul>
 *
 * <p>Safe for use by several threads.
 */
public final class KeyedQueues {
    /** How long to wait for the application's code of another thread. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    /** How long to wait while standing in another queue. */
    private static final Duration LONGEST_NESTED_WAIT = Duration.ofMillis(20);

    private final ConcurrentMap<EncodedKey, Queue> queues = new ConcurrentHashMap<>();
    private final Waiter waiter;
    private final Ticker ticker;

    public KeyedQueues(Waiter waiter, Ticker ticker) {
        this.waiter = waiter;
        this.ticker = ticker;
    }

    /** Runs the change when it is this thread's turn. */
    public <T> T inTurn(EncodedKey key, Supplier<T> change) {
        try (Standing turn = enter(key)) {
            return change.get();
        }
    }

    /** Waits until it is this thread's turn for an entry. */
    public Standing enter(EncodedKey key) {
        return new Standing().enter(key);
    }

    /** Takes this thread's turn for an entry unless another thread has it: then returns null. Does not wait. */
    public @Nullable Standing enterIfFree(EncodedKey key) {
        Standing turn = new Standing();
        Queue queue = queues.compute(key, (same, present) -> present == null ? new Queue() : present.joined());
        boolean entered = queue.lock.tryLock();
        turn.last = new Place(key, entered ? queue : null, null);
        if (entered) {
            return turn;
        }
        turn.close();
        return null;
    }

    /** Waits until it is this thread's turn for all of these entries, in one order for all threads. */
    public Standing enter(List<EncodedKey> keys) {
        Standing turn = new Standing();
        keys.stream().distinct().sorted(Comparator.comparing(EncodedKey::text)).forEach(key -> turn.enter(key));
        return turn;
    }

    /** A thread's turn, until it is closed. For use by that thread. */
    public final class Standing implements AutoCloseable {
        private final Deadline longest = Deadline.after(ticker, isNested() ? LONGEST_NESTED_WAIT : LONGEST_WAIT);
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

    /**
     * A place in the queue of an entry.
     *
     * @param entered the queue, null if the thread goes on though it is not its turn
     * @param before the place that was taken before, null if there is none
     */
    private record Place(
            EncodedKey key,
            @Nullable Queue entered,
            @Nullable Place before) {}

    /** Returns how many entries are being changed. */
    int size() {
        return queues.size();
    }

    /** A lock and how many threads hold it or wait for it; the count changes only inside the map's own lock. */
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
