// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.partition.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Combines the replies of several commands into one. */
public final class Replies {
    private Replies() {}

    public static <R> CompletableFuture<List<Reply<R>>> all(List<CompletableFuture<Reply<R>>> replies) {
        return CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> known(replies));
    }

    private static <R> List<Reply<R>> known(List<CompletableFuture<Reply<R>>> replies) {
        List<Reply<R>> known = new ArrayList<>(replies.size());
        replies.forEach(reply -> known.add(reply.getNow(Reply.unknown("a part is not there", null))));
        return known;
    }

    /** Combines the replies of a reading command: all results, or the first failure. */
    public static <R> Reply<List<R>> ofRead(List<Reply<R>> replies) {
        List<R> answers = new ArrayList<>(replies.size());
        for (Reply<R> reply : replies) {
            if (!(reply instanceof Reply.Done<R> done)) {
                return reply.as();
            }
            answers.add(done.value());
        }
        return Reply.done(answers);
    }

    /** Combines the replies of a changing command, which is refused only if all its parts are. */
    public static <R> Reply<List<R>> ofWrite(List<Reply<R>> replies) {
        Reply<List<R>> reply = ofRead(replies);
        boolean none = replies.stream().allMatch(part -> part instanceof Reply.Refused<R>);
        return reply instanceof Reply.Refused<List<R>> refused && !none
                ? Reply.unknown("a part was not executed: " + refused.detail(), null)
                : reply;
    }
}
