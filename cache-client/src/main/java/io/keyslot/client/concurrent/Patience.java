// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How long a call goes on, and how its thread waits for it meanwhile, if it does. Made once, at the door, and handed down
 * to the connection.
 *
 * <p>One with a waiter is for the thread of a call, which has nothing to do but to wait: whoever gets it may wait in there,
 * so that the layers above find the reply there already and go on without another thread. {@link #withoutWaiter} is for
 * every other thread. {@link #ahead} is for the thread of a call that sends several things and waits then.
 *
 * @param deadline when the call is over
 * @param waiter how the calling thread waits, null if it does not
 * @param isAhead whether the calling thread does not wait yet, but will right after what else it sends
 */
public record Patience(Deadline deadline, @Nullable Waiter waiter, boolean isAhead) {
    /** Of what has no caller: nobody waits, and nobody gives up. */
    public static final Patience UNLIMITED = until(Deadline.never());

    public Patience(Deadline deadline, @Nullable Waiter waiter) {
        this(deadline, waiter, false);
    }

    /** Returns the patience of a call that no thread waits for. */
    public static Patience until(Deadline deadline) {
        return new Patience(deadline, null);
    }

    /** Returns the patience of the same call as another thread continues it, which must not wait. */
    public Patience withoutWaiter() {
        return waiter == null && !isAhead ? this : until(deadline);
    }

    /** Returns the patience for what the calling thread sends before that for which it waits. */
    public Patience ahead() {
        return waiter == null ? this : new Patience(deadline, null, true);
    }

    /** Returns the nanoseconds that are left; 0 or less if it is over. */
    public long remainingNanos() {
        return deadline.remainingNanos();
    }

    /**
     * Waits until the reply is there, the time is over or the thread is interrupted, whichever comes first. Returns at once
     * if nobody waits.
     */
    public void await(CompletableFuture<?> reply) {
        if (waiter != null) {
            waiter.awaitDone(reply, deadline);
        }
    }
}
