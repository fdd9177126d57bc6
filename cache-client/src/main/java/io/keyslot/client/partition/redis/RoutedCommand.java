// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.redis.RouteVersionGuard.Gated;
import io.lettuce.core.RedisException;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.EncoderException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One command on its way to the server and back. It knows its route version and whether it was written, and always
 * completes with a reply.
 *
 * <p>A timeout completes the reply and leaves the command in the queue, because removing it would shift the replies
 * that follow.
 *
 * @param <T> the type that Lettuce decodes
 * @param <R> the result
 */
final class RoutedCommand<T, R> extends Command<byte[], byte[], T> implements Gated {
    /** Receives the events of the commands on one connection. */
    interface Carrier {
        void watch(RoutedCommand<?, ?> command);

        /** Called when a command is no longer in flight. */
        void left(RoutedCommand<?, ?> command, boolean unanswered);

        /** Called when a command of a pipeline, other than the last, is no longer in flight. */
        void followerLeft();

        /** Returns whether further replies belong to another epoch. */
        boolean isSuperseded();

        /** Called when the server has replied that it is a replica. */
        void demoted();

        /** Called when the server has refused a command because its keys have several slots. */
        default void refusesSlots() {}

        /** Called when the server has not executed a command because another one serves the slot. */
        void redirected(Redirection to);

        /** Has the target of {@code ASK} execute a command; null without a connection to it. */
        <R> @Nullable CompletableFuture<Reply<R>> ask(RoutedCommand<?, R> command, Redirection to);

        void surprised(String what);
    }

    private static final Reply.Unknown<Object> TOO_LATE =
            new Reply.Unknown<>("the partition's epoch had changed before it was executed", null);

    /** A field updater, because an atomic object per command would cost memory. */
    @SuppressWarnings("rawtypes") // It serves commands of all types.
    private static final AtomicIntegerFieldUpdater<RoutedCommand> DEPARTURES =
            AtomicIntegerFieldUpdater.newUpdater(RoutedCommand.class, "departures");

    private final long mapVersion;
    private final Function<T, R> decoder;
    private final Carrier carrier;
    private final CompletableFuture<Reply<R>> reply = new AwaitedReply<>();
    private final byte @Nullable [][] bareArguments;
    private volatile boolean wasAsked;
    private boolean isForThisServer;
    private volatile int departures; // 0, or 1 when it is no longer in flight
    private @Nullable Function<Reply<R>, @Nullable CompletableFuture<Reply<R>>> sequel;
    private boolean watched;
    private volatile boolean written;
    private long sentAt;

    RoutedCommand(
            CommandType type,
            CommandOutput<byte[], byte[], T> output,
            CommandArgs<byte[], byte[]> arguments,
            Function<T, R> decoder,
            long mapVersion,
            Carrier carrier) {
        super(type, output, arguments);
        this.bareArguments = null;
        this.decoder = decoder;
        this.mapVersion = mapVersion;
        this.carrier = carrier;
    }

    /** Creates a command with encoded arguments, which must not be modified afterwards. */
    RoutedCommand(
            CommandType type,
            CommandOutput<byte[], byte[], T> output,
            byte[][] bareArguments,
            Function<T, R> decoder,
            long mapVersion,
            Carrier carrier) {
        super(type, output, null);
        this.bareArguments = bareArguments;
        this.decoder = decoder;
        this.mapVersion = mapVersion;
        this.carrier = carrier;
    }

    CompletableFuture<Reply<R>> reply() {
        return reply;
    }

    /** Adds a continuation, before the write; it returns null for final replies. The first one takes precedence. */
    RoutedCommand<T, R> then(Function<Reply<R>, @Nullable CompletableFuture<Reply<R>>> seldom) {
        Function<Reply<R>, @Nullable CompletableFuture<Reply<R>>> first = sequel;
        sequel = first == null ? seldom : reply -> orElse(first.apply(reply), reply, seldom);
        return this;
    }

    private static <R> @Nullable CompletableFuture<Reply<R>> orElse(
            @Nullable CompletableFuture<Reply<R>> following,
            Reply<R> reply,
            Function<Reply<R>, @Nullable CompletableFuture<Reply<R>>> otherwise) {
        return following == null ? otherwise.apply(reply) : following;
    }

    boolean isWatched() {
        return watched;
    }

    long mapVersion() {
        return mapVersion;
    }

    /** For {@link Timeouts} only. */
    void sentAt(long nanos) {
        sentAt = nanos;
    }

    long sentAt() {
        return sentAt;
    }

    @Override
    public boolean passes(RouteVersionGuard versionGuard) {
        boolean admitted = versionGuard.admits(this);
        if (admitted) {
            watched = true;
            carrier.watch(this);
        }
        return admitted;
    }

    /** Called when the bytes are handed to the socket. From here on, the outcome may be unknown. */
    @Override
    public void encode(ByteBuf buffer) {
        written = true;
        if (bareArguments == null) {
            super.encode(buffer);
        } else {
            Resp.write(buffer, getType().getBytes(), bareArguments);
        }
    }

    /** Completes a command that was not written, as not executed. */
    void refuse(Refusal refusal, String detail) {
        super.cancel();
        leave(false);
        reply.complete(Reply.refused(refusal, detail));
    }

    /** Completes the reply with an unknown outcome; the command stays in flight. */
    void timeOut() {
        reply.complete(Reply.unknown("no answer in time", null));
    }

    @Override
    public void complete() {
        if (departures > 0) {
            return;
        }
        super.complete();
        Reply<R> answer = answer(this, decoder);
        leave(false);
        CompletableFuture<Reply<R>> elsewhere = answer instanceof Reply.Refused ? asked() : null;
        if (elsewhere == null) {
            end(answer);
        } else {
            Futures.whenOver(
                    elsewhere,
                    (reply, failure) -> end(reply == null ? Reply.unknown("no answer elsewhere", failure) : reply));
        }
    }

    private void end(Reply<R> answer) {
        // A late reply has no continuation, because the caller may have written another value meanwhile.
        CompletableFuture<Reply<R>> following = sequel == null || reply.isDone() ? null : sequel.apply(answer);
        if (following == null) {
            reply.complete(answer);
        } else {
            follow(following);
        }
    }

    /** Sends a refused command to the server that it was redirected to for once, and returns the reply, or null. */
    private @Nullable CompletableFuture<Reply<R>> asked() {
        if (wasAsked || reply.isDone()) {
            return null;
        }
        String error = getOutput().getError();
        Redirection to = error == null ? null : Redirection.parse(error).orElse(null);
        if (to == null) {
            return null;
        }
        carrier.redirected(to);
        if (!to.isOnce() || isForThisServer) {
            return null;
        }
        wasAsked = true;
        return carrier.ask(this, to);
    }

    /** Prevents redirection to another server. Must be called before the command is written. */
    RoutedCommand<T, R> forThisServer() {
        isForThisServer = true;
        return this;
    }

    /** Returns whether the command was redirected by {@code ASK}. */
    boolean wasAsked() {
        return wasAsked;
    }

    /** Returns the same command for another connection. The output of a refused command contains only the error. */
    RoutedCommand<T, R> over(Carrier other) {
        getOutput().setError((String) null);
        RoutedCommand<T, R> again = bareArguments == null
                ? new RoutedCommand<>((CommandType) getType(), getOutput(), getArgs(), decoder, mapVersion, other)
                : new RoutedCommand<>((CommandType) getType(), getOutput(), bareArguments, decoder, mapVersion, other);
        again.wasAsked = true;
        return again;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The reply reports everything.
    private void follow(CompletableFuture<Reply<R>> following) {
        following.whenComplete((value, failure) -> {
            if (failure == null) {
                reply.complete(value);
            } else {
                reply.completeExceptionally(failure);
            }
        });
    }

    /** Decodes the present output of a command, also for another command of the same pipeline. */
    static <T, R> Reply<R> answer(RoutedCommand<T, ?> command, Function<T, R> decoder) {
        Carrier carrier = command.carrier;
        if (carrier.isSuperseded()) {
            return TOO_LATE.as();
        }
        String error = command.getOutput().getError();
        if (error != null) {
            ServerError refusal = ServerError.parse(error);
            if (refusal.code().equals(ServerError.READ_ONLY)) {
                carrier.demoted();
            } else if (refusal.code().equals(ServerError.CROSS_SLOT)) {
                carrier.refusesSlots();
            }
            return refusal.reply(command.mapVersion, String.valueOf(command.getType()), command.bareArguments);
        }
        try {
            return Reply.done(decoder.apply(command.getOutput().get()));
        } catch (RuntimeException e) {
            carrier.surprised("an answer to %s that cannot be its own".formatted(command.getType()));
            return Reply.unknown("the answer was not of the expected type", e);
        }
    }

    @Override
    public boolean completeExceptionally(@Nullable Throwable cause) {
        super.cancel();
        boolean first = leave(written);
        reply.complete(
                written
                        ? Reply.unknown("the connection was lost before the answer came", cause)
                        : Reply.refused(Refusal.UNAVAILABLE, "the connection was lost before the command was sent"));
        if (first && !isTransport(cause)) {
            carrier.surprised("an answer to %s that could not be read".formatted(getType()));
        }
        return first;
    }

    /** Returns whether it reports a lost connection, as opposed to an unreadable reply. */
    static boolean isTransport(@Nullable Throwable cause) {
        return cause == null
                || cause instanceof RedisException
                || cause instanceof IOException
                || cause instanceof EncoderException;
    }

    @Override
    public void cancel() {
        completeExceptionally(null);
    }

    private boolean leave(boolean unanswered) {
        boolean first = DEPARTURES.compareAndSet(this, 0, 1);
        if (first) {
            carrier.left(this, unanswered);
        }
        return first;
    }
}
