// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The callers that wait for their replies outside of an event loop; at most one per thread. Thread-safe. */
final class Followers {
    private final Queue<AwaitedReply<?>> waiting = new ConcurrentLinkedQueue<>();

    /** Kept because the size of the queue takes linear time. */
    private final AtomicInteger count = new AtomicInteger();

    void add(AwaitedReply<?> reply) {
        reply.awaitedBy(Thread.currentThread());
        waiting.add(reply);
        count.incrementAndGet();
    }

    void remove(AwaitedReply<?> reply) {
        waiting.remove(reply);
        count.decrementAndGet();
        reply.awaitedBy(null);
    }

    int count() {
        return count.get();
    }

    /** Wakes up a caller whose reply has not arrived; returns false if there is none. */
    boolean wakeOne() {
        for (AwaitedReply<?> follower : waiting) {
            if (!follower.isDone()) {
                follower.wake();
                return true;
            }
        }
        return false;
    }
}
