// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;

/**
 * Creates the replies for commands without a reply, because the deadline has passed or the thread was interrupted. Both
 * are distinct from a partition that does not answer.
 */
public final class Unanswered {
    private Unanswered() {}

    /** Returns whether this thread must not send anything, as it would not wait for the reply. */
    public static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }

    public static <R> Reply<R> unsent() {
        return Reply.refused(Refusal.INTERRUPTED, "the thread was interrupted before anything was sent");
    }

    public static <R> Reply<R> sent() {
        return isInterrupted()
                ? Reply.unknown("the thread was interrupted before the answer came", new InterruptedException())
                : Reply.unknown("no answer within the call's deadline", null);
    }

    public static boolean isByInterruption(Reply<?> reply) {
        return reply.isRefused(Refusal.INTERRUPTED)
                || (reply instanceof Reply.Unknown<?> unknown && unknown.cause() instanceof InterruptedException);
    }
}
