// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.partition.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

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
            if (reply instanceof Reply.Refused<R> refused) {
                return refused.as();
            }
            if (reply instanceof Reply.Unknown<R> unknown) {
                return unknown.as();
            }
            if (reply instanceof Reply.Done<R> done) {
                answers.add(done.value());
            }
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

    /** Continues with the result, or returns the failure. */
    public static <R, S> CompletableFuture<Reply<S>> then(
            Reply<R> reply, Function<R, CompletableFuture<Reply<S>>> next) {
        if (reply instanceof Reply.Done<R> done) {
            return next.apply(done.value());
        }
        return CompletableFuture.completedFuture(
                reply instanceof Reply.Refused<R> refused ? refused.as() : ((Reply.Unknown<R>) reply).as());
    }

    public static <R, S> Reply<S> map(Reply<R> reply, Function<R, S> mapping) {
        if (reply instanceof Reply.Refused<R> refused) {
            return refused.as();
        }
        if (reply instanceof Reply.Unknown<R> unknown) {
            return unknown.as();
        }
        return Reply.done(mapping.apply(((Reply.Done<R>) reply).value()));
    }
}
