// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.partition.Reply;
import java.util.concurrent.CompletableFuture;

/**
 * Retries a command after a pause, within the deadline, if it was refused but may soon be accepted, or if its outcome
 * is unknown and it is repeatable.
 */
final class RetryChannel implements Channel {
    private final Channel next;
    private final RetryPauses pauses;

    RetryChannel(Channel next, RetryPauses pauses) {
        this.next = next;
        this.pauses = pauses;
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        return attempt(call, Attempts.none());
    }

    private <R> CompletableFuture<Reply<R>> attempt(Call<R> call, Attempts<R> before) {
        CompletableFuture<Reply<R>> reply = next.send(call);
        return Futures.valueOf(reply) instanceof Reply.Done
                ? reply
                : reply.thenCompose(ended -> ended instanceof Reply.Done ? reply : afterFailure(call, before, ended));
    }

    private <R> CompletableFuture<Reply<R>> afterFailure(Call<R> call, Attempts<R> before, Reply<R> reply) {
        Attempts<R> attempts = before.plus(reply);
        return attempts.mayGoOn(call, reply)
                ? pauses.again(
                        attempts.made(),
                        reply,
                        call.deadline(),
                        () -> attempt(call.withoutWaiter(), attempts),
                        () -> attempts.verdict(reply))
                : CompletableFuture.completedFuture(attempts.verdict(reply));
    }
}
