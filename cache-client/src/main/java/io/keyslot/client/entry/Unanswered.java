// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import java.util.Collections;
import java.util.List;

/**
 * What a thread knows that does not wait for an answer, or not any longer: that it has come too late, or that the thread was
 * interrupted. The two are never taken for one another, nor for a partition that does not answer.
 */
public final class Unanswered {
    private Unanswered() {}

    /** Returns whether this thread is to send nothing, as it would not wait for the answer. */
    public static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }

    /** Returns the reply to what was not sent, as the thread is interrupted. */
    public static <R> Reply<R> unsent() {
        return Reply.refused(Refusal.INTERRUPTED, "the thread was interrupted before anything was sent");
    }

    /** Returns the reply to what was sent, and is not waited for any longer. */
    public static <R> Reply<R> sent() {
        return isInterrupted()
                ? Reply.unknown("the thread was interrupted before the answer came", new InterruptedException())
                : Reply.unknown("no answer within the call's deadline", null);
    }

    static <R> List<Reply<R>> unsent(int count) {
        return Collections.nCopies(count, unsent());
    }

    static <R> List<Reply<R>> sent(int count) {
        return Collections.nCopies(count, sent());
    }

    /** Returns whether there is no answer because the thread was interrupted. */
    public static boolean isByInterruption(Reply<?> reply) {
        return reply instanceof Reply.Refused<?> refused
                ? refused.refusal() == Refusal.INTERRUPTED
                : reply instanceof Reply.Unknown<?> unknown && unknown.cause() instanceof InterruptedException;
    }
}
