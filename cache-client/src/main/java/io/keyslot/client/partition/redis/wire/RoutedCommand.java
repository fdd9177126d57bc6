// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
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
 * One command on its way to the server and back. It knows by which slot map it was routed and whether it was written,
 * and answers with a reply in every case.
 *
 * <p>A timeout answers the caller and leaves the command where it is: it was sent, and the answers behind its own would
 * be mistaken for one another if it were taken out.
 *
 * @param <T> what Lettuce decodes
 * @param <R> what is answered
 */
public final class RoutedCommand<T, R> extends Command<byte[], byte[], T> implements Gated {
    /** What commands tell the connection that carries them. */
    public interface Carrier {
        /** Waits for the answer of a command that is about to be written. */
        void watch(RoutedCommand<?, ?> command);

        /** A command is no longer in flight. */
        void left(RoutedCommand<?, ?> command, boolean unanswered);

        /** A command of a pipeline, for which nobody waits, is no longer in flight. */
        void followerLeft();

        /** Returns whether answers that come now were given in another epoch. */
        boolean isSuperseded();

        /** The server said that it is a replica. */
        void demoted();

        /** The server said that another one executes commands about the slot: it has not executed this one. */
        void redirected(Redirection to);

        /**
         * Has a command executed by the server at which its slot arrives: right behind what says that it may.
         *
         * @return null if there is no connection to that one
         */
        <R> @Nullable CompletableFuture<Reply<R>> ask(RoutedCommand<?, R> command, Redirection to);

        /** An answer was not of the type that belongs to its command. */
        void surprised(String what);
    }

    private static final Reply.Unknown<Object> TOO_LATE =
            new Reply.Unknown<>("the partition's epoch had changed before it was executed", null);

    /** No object for it: there is one for each command. */
    @SuppressWarnings("rawtypes") // The class is that of all of them.
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

    /** Creates a command whose arguments are bytes already; they must not be changed any more. */
    public RoutedCommand(
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

    public CompletableFuture<Reply<R>> reply() {
        return reply;
    }

    /**
     * Goes on after answers that are not the last word, with what the function returns for them; null for the others. So
     * that most answers need no future but that of the reply. Before the command is written; of two, the first comes first.
     */
    public RoutedCommand<T, R> then(Function<Reply<R>, @Nullable CompletableFuture<Reply<R>>> seldom) {
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

    /** Returns whether it was about to be written. */
    boolean isWatched() {
        return watched;
    }

    long mapVersion() {
        return mapVersion;
    }

    /** Belongs to {@link Timeouts}. */
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

    /** Called when the bytes are handed to the socket: from here on nobody knows whether they arrive. */
    @Override
    public void encode(ByteBuf buffer) {
        written = true;
        if (bareArguments == null) {
            super.encode(buffer);
        } else {
            Resp.write(buffer, getType().getBytes(), bareArguments);
        }
    }

    /** RespAnswers that the command was not executed. Only for a command that was not written. */
    void refuse(Refusal refusal, String detail) {
        super.cancel();
        leave(false);
        reply.complete(Reply.refused(refusal, detail));
    }

    /** RespAnswers that the outcome is unknown; the command stays in flight. */
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
        CompletableFuture<Reply<R>> elsewhere = asked(answer);
        if (elsewhere == null) {
            end(answer);
        } else {
            Futures.whenOver(
                    elsewhere,
                    (told, failure) -> end(told == null ? Reply.unknown("no answer elsewhere", failure) : told));
        }
    }

    private void end(Reply<R> answer) {
        // Nothing follows from an answer that comes too late: the caller may have written something else meanwhile.
        CompletableFuture<Reply<R>> following = sequel == null || reply.isDone() ? null : sequel.apply(answer);
        if (following == null) {
            reply.complete(answer);
        } else {
            follow(following);
        }
    }

    /** Returns what comes of it at the other end, null if nobody is asked there. */
    private @Nullable CompletableFuture<Reply<R>> asked(Reply<R> answer) {
        if (!(answer instanceof Reply.Refused) || wasAsked || reply.isDone()) {
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

    /** Has no other server execute it, whatever this one says of the slot. Before the command is written. */
    public RoutedCommand<T, R> forThisServer() {
        isForThisServer = true;
        return this;
    }

    /** Returns whether another server than that of the connection was asked, as the slot is on its way there. */
    public boolean wasAsked() {
        return wasAsked;
    }

    /** Returns the same command for another connection. This one was refused: nothing but that is in its output. */
    RoutedCommand<T, R> over(Carrier other) {
        getOutput().setError((String) null);
        RoutedCommand<T, R> again = bareArguments == null
                ? new RoutedCommand<>((CommandType) getType(), getOutput(), getArgs(), decoder, mapVersion, other)
                : new RoutedCommand<>((CommandType) getType(), getOutput(), bareArguments, decoder, mapVersion, other);
        again.wasAsked = true;
        return again;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The reply tells everything.
    private void follow(CompletableFuture<Reply<R>> following) {
        following.whenComplete((value, failure) -> {
            if (failure == null) {
                reply.complete(value);
            } else {
                reply.completeExceptionally(failure);
            }
        });
    }

    /** Returns what is in the output of a command now, which is its own answer or that of another one of the same pipeline. */
    public static <T, R> Reply<R> answer(RoutedCommand<T, ?> command, Function<T, R> decoder) {
        Carrier carrier = command.carrier;
        if (carrier.isSuperseded()) {
            return TOO_LATE.as();
        }
        String error = command.getOutput().getError();
        if (error != null) {
            ServerError refusal = ServerError.parse(error);
            if (refusal.code().equals(ServerError.READ_ONLY)) {
                carrier.demoted();
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

    /** Returns whether it says that the connection is lost, and not that an answer could not be read. */
    public static boolean isTransport(@Nullable Throwable cause) {
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
