// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A reply for which one thread may wait that has something else to wait for as well: its turn to drive the event loop.
 * Whoever completes the reply wakes it up.
 */
public final class AwaitedReply<R> extends CompletableFuture<R> {
    private volatile @Nullable Thread follower;

    /** Sets who is woken up. It looks whether the reply is there already afterwards, and not before. */
    void awaitedBy(@Nullable Thread thread) {
        follower = thread;
    }

    /** Returns whether a thread waits. */
    boolean isFollowed() {
        return follower != null;
    }

    /** Wakes up the thread that waits, if there is one. */
    void wake() {
        Thread waiting = follower;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    @Override
    public boolean complete(R value) {
        boolean first = super.complete(value);
        wake();
        return first;
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        boolean first = super.completeExceptionally(failure);
        wake();
        return first;
    }
}
