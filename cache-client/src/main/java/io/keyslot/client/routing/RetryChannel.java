// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.partition.Reply;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Retries a command after a pause, within the deadline, if it was refused but may soon be accepted, or if its outcome
 * is unknown and it is repeatable.
 */
record RetryChannel(Channel next, RetryPauses pauses) implements Channel {
    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        return attempt(call, null);
    }

    private <R> CompletableFuture<Reply<R>> attempt(Call<R> call, @Nullable Attempts<R> before) {
        CompletableFuture<Reply<R>> reply = next.send(call);
        return Futures.valueOf(reply) instanceof Reply.Done
                ? reply
                : reply.thenCompose(ended -> ended instanceof Reply.Done ? reply : afterFailure(call, before, ended));
    }

    private <R> CompletableFuture<Reply<R>> afterFailure(Call<R> call, @Nullable Attempts<R> before, Reply<R> reply) {
        Attempts<R> attempts = (before == null ? new Attempts<R>(0, 0, null) : before).plus(reply);
        return attempts.mayGoOn(call, reply)
                ? pauses.again(
                        attempts.made(),
                        reply,
                        call.deadline(),
                        () -> attempt(call.withoutWaiter(), attempts),
                        () -> attempts.verdict(reply))
                : CompletableFuture.completedFuture(attempts.verdict(reply));
    }

    record Attempts<R>(int made, int unknowns, Reply.@Nullable Unknown<R> unknown) {
        /** The maximum number of repetitions of a repeatable command with an unknown outcome. */
        static final int MOST_REPEATS = 2;

        Attempts<R> plus(Reply<R> reply) {
            return reply instanceof Reply.Unknown<R> lost
                    ? new Attempts<>(made + 1, unknowns + 1, lost)
                    : new Attempts<>(made + 1, unknowns, unknown);
        }

        static boolean isRefusedForNow(Reply<?> reply) {
            return reply instanceof Reply.Refused<?> refused
                    && refused.refusal().isWorthAnotherAttempt();
        }

        /** Returns whether another attempt may follow the last one, which had this reply. */
        boolean mayGoOn(Call<R> call, Reply<R> last) {
            if (last instanceof Reply.Refused<R> refused) {
                // A command split by an outdated slot map must be split again, which BulkCall does.
                return isRefusedForNow(last) && (!refused.refusal().isOfRoute() || call.isRoutable());
            }
            return last instanceof Reply.Unknown && call.command().isRepeatable() && unknowns <= MOST_REPEATS;
        }

        /**
         * Returns the outcome of the command: a refused attempt does not undo an earlier one that may have been executed.
         */
        Reply<R> verdict(Reply<R> last) {
            return last instanceof Reply.Refused && unknown != null ? unknown : last;
        }
    }
}
