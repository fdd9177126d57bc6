// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import java.util.concurrent.CompletableFuture;

/**
 * Starts no attempt after the deadline and waits for none beyond it; a late answer is dropped.
 *
 * <p>The engine answers within the command timeout, and can tell whether the partition or this process was slow. So a
 * timer exists only for attempts whose command timeout exceeds the deadline.
 */
record DeadlineChannel(Channel next, Timing timing, long commandTimeoutNanos) implements Channel {
    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        long remaining = call.deadline().remainingNanos();
        if (remaining <= 0) {
            return CompletableFuture.completedFuture(tooLate(call));
        }
        CompletableFuture<Reply<R>> reply = next.send(call);
        return reply.isDone() || remaining >= commandTimeoutNanos ? reply : limited(call, reply);
    }

    private <R> CompletableFuture<Reply<R>> limited(Call<R> call, CompletableFuture<Reply<R>> reply) {
        CompletableFuture<Reply<R>> limited = reply.copy();
        timing.schedule(
                        () -> limited.complete(unanswered(call)),
                        Math.max(0, call.deadline().remainingNanos()))
                .ifPresent(timer -> Futures.whenOver(limited, (over, failure) -> timer.cancel(false)));
        return limited;
    }

    private static <R> Reply<R> tooLate(Call<R> call) {
        return Reply.refused(
                Refusal.UNAVAILABLE,
                "the deadline was over before %s was sent to %s"
                        .formatted(call.command().name(), call.destination()));
    }

    private static <R> Reply<R> unanswered(Call<R> call) {
        return Reply.unknown(
                "the deadline was over before %s to %s was answered"
                        .formatted(call.command().name(), call.destination()),
                null);
    }
}
