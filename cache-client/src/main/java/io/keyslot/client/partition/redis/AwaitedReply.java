// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A reply that wakes up its waiting thread, which may also be woken up to drive the event loop. */
final class AwaitedReply<R> extends CompletableFuture<R> {
    private volatile @Nullable Thread follower;

    /** Sets the waiting thread. That thread must check afterwards whether the reply has arrived already. */
    void awaitedBy(@Nullable Thread thread) {
        follower = thread;
    }

    boolean isFollowed() {
        return follower != null;
    }

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
