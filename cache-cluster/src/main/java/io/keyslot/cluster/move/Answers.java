// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Reply;
import java.util.concurrent.CompletableFuture;

/** The answers of partitions that may not be reachable. */
public final class Answers {
    private Answers() {}

    /** Returns the answer as a reply. A failure becomes an unknown reply with its reason. */
    public static <T> CompletableFuture<Reply<T>> reply(CompletableFuture<T> answer) {
        return answer.handle(
                (value, failure) -> failure == null ? Reply.done(value) : Reply.unknown(reasonOf(failure), failure));
    }

    public static String reasonOf(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && !(cause instanceof ConnectFailure)) {
            cause = cause.getCause();
        }
        return cause instanceof ConnectFailure known ? known.reason() : String.valueOf(cause.getMessage());
    }
}
