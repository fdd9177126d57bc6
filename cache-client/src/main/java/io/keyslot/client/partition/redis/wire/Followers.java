// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The callers that wait for their replies outside of an event loop: no more than threads. Safe for use by several threads. */
final class Followers {
    private final Queue<AwaitedReply<?>> waiting = new ConcurrentLinkedQueue<>();

    /** How many there are; the queue would have to count them. */
    private final AtomicInteger count = new AtomicInteger();

    /** The calling thread waits from now on. */
    void add(AwaitedReply<?> reply) {
        reply.awaitedBy(Thread.currentThread());
        waiting.add(reply);
        count.incrementAndGet();
    }

    /** It waits no more. */
    void remove(AwaitedReply<?> reply) {
        waiting.remove(reply);
        count.decrementAndGet();
        reply.awaitedBy(null);
    }

    int count() {
        return count.get();
    }

    /** Wakes up one whose reply is not there; returns whether there is one. */
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
