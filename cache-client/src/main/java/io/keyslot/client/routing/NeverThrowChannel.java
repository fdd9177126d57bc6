// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.partition.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Converts every exception, thrown or in a future, to an unknown outcome, so that a bug below still yields a reply. An
 * {@link Error} is passed on.
 */
record NeverThrowChannel(Channel next) implements Channel {
    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        CompletableFuture<Reply<R>> reply;
        try {
            reply = next.send(call);
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(unexpected(call, e));
        }
        return Futures.valueOf(reply) == null ? reply.exceptionally(failure -> unexpected(call, failure)) : reply;
    }

    private static <R> Reply<R> unexpected(Call<R> call, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof Error error) {
            throw error;
        }
        return Reply.unknown(
                "unexpected %s during %s to %s"
                        .formatted(
                                cause.getClass().getSimpleName(),
                                call.command().name(),
                                call.target().describe()),
                cause);
    }
}
