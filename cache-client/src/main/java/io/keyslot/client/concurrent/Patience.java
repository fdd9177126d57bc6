// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of a call, and how its thread waits, if it does. It is created once per call and passed down to the
 * connection. With a waiter, the code that gets it may wait on the calling thread, so that the layers above find the
 * reply and need no other thread. {@link #withoutWaiter} is for all other threads; {@link #ahead} is for a thread that
 * sends several commands and then waits.
 */
public record Patience(Deadline deadline, @Nullable Waiter waiter, boolean isAhead) {
    /** For commands without a caller, which never expire. */
    public static final Patience UNLIMITED = until(Deadline.never());

    public Patience(Deadline deadline, @Nullable Waiter waiter) {
        this(deadline, waiter, false);
    }

    public static Patience until(Deadline deadline) {
        return new Patience(deadline, null);
    }

    /** Returns the patience of the same call for another thread, which must not wait. */
    public Patience withoutWaiter() {
        return waiter == null && !isAhead ? this : until(deadline);
    }

    /** Returns the patience for commands that the calling thread sends before the one that it waits for. */
    public Patience ahead() {
        return waiter == null ? this : new Patience(deadline, null, true);
    }

    /** Waits for the reply, the deadline or an interrupt, whichever comes first. Returns at once without a waiter. */
    public void await(CompletableFuture<?> reply) {
        if (waiter != null) {
            waiter.awaitDone(reply, deadline);
        }
    }
}
