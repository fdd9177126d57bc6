// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.Lookup;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a command: executed, refused, or unknown. Details are for messages, without keys, values and
 * credentials.
 */
public sealed interface Reply<R> {
    record Done<R>(R value) implements Reply<R> {}

    /** Returns a reply without a result as one to another command. */
    default <S> Reply<S> as() {
        throw new IllegalStateException("the result of a command is none of another");
    }

    /** Returns a reply with the mapped result, or the failure. */
    default <S> Reply<S> map(Function<R, S> mapping) {
        return this instanceof Done<R> done ? done(mapping.apply(done.value())) : as();
    }

    /** Continues with the result, or returns the failure. */
    default <S> CompletableFuture<Reply<S>> then(Function<R, CompletableFuture<Reply<S>>> next) {
        return this instanceof Done<R> done ? next.apply(done.value()) : CompletableFuture.completedFuture(as());
    }

    default boolean isRefused(Refusal refusal) {
        return this instanceof Refused<R> refused && refused.refusal() == refusal;
    }

    /**
     * The command was not executed and will not be; {@code mapVersion} is the minimum version to route by, 0 if
     * unknown.
     */
    record Refused<R>(Refusal refusal, String detail, long mapVersion) implements Reply<R> {
        public Refused(Refusal refusal, String detail) {
            this(refusal, detail, 0);
        }

        @Override
        public <S> Refused<S> as() {
            return new Refused<>(refusal, detail, mapVersion);
        }
    }

    /**
     * The command was sent and its answer was lost, so it may have been executed. If it was not, it never will be once
     * the connection has been replaced.
     */
    record Unknown<R>(String detail, @Nullable Throwable cause) implements Reply<R> {
        @Override
        public <S> Unknown<S> as() {
            return new Unknown<>(detail, cause);
        }
    }

    static <R> Reply<R> done(R value) {
        return new Done<>(value);
    }

    /** Returns the reply for one key of a bulk read; an outdated value counts as refused. */
    static Reply<Lookup> ofOne(Lookup lookup) {
        return switch (lookup.outcome()) {
            case OUTDATED -> refused(Refusal.UNAVAILABLE, "what is stored is out of date, and its deletion is owed");
            case BEING_DELETED ->
                refused(Refusal.NOT_NOW, "what is stored is out of date, and its deletion is under way");
            default -> done(lookup);
        };
    }

    static <R> Reply<R> refused(Refusal refusal, String detail) {
        return new Refused<>(refusal, detail);
    }

    static <R> Reply<R> unknown(String detail, @Nullable Throwable cause) {
        return new Unknown<>(detail, cause);
    }
}
