// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.redis.wire.AwaitedReply;
import io.keyslot.client.partition.redis.wire.CommandBatch;
import io.keyslot.client.partition.redis.wire.Gated;
import io.keyslot.client.partition.redis.wire.RouteVersionGuard;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Commands of one batch that leave right behind one another, and have one reply: what became of each. Nobody waits for any but
 * the last, which has the timer; the others are no more than their bytes and a place in the line of those that are answered.
 * They are refused or written together.
 *
 * <p>What was answered before the connection was lost, or the time over, is known of each. Not for a node of a cluster, which may
 * send one of them elsewhere.
 *
 * @param <R> what each is answered
 */
public final class Pipeline<R> implements CommandBatch {
    /** One of the commands. */
    public interface Part {
        /** Returns its arguments. */
        byte[][] arguments();

        /** Writes the command with its arguments. */
        void encode(ByteBuf buffer);
    }

    /** What an answer means; throws if it cannot be that of the command. */
    @FunctionalInterface
    public interface Decoder<R> {
        R decode(int index, HeadOutput answer);
    }

    /**
     * Goes on after answers that are not the last word.
     *
     * @param <R> what each is answered
     */
    @FunctionalInterface
    public interface Sequel<R> {
        /** Returns what comes of all of them in the end; null if they are the last word. */
        @Nullable
        CompletableFuture<List<Reply<R>>> after(List<Reply<R>> replies);
    }

    private final CommandType type;
    private final List<? extends Part> parts;
    private final Decoder<R> decoder;
    private final Sequel<R> sequel;
    private final RoutedCommand.Carrier carrier;
    private final HeadOutput output = new HeadOutput();
    private final int hash = System.identityHashCode(this); // several pipelines may leave in one write
    private final List<Follower> followers;
    private final RoutedCommand<HeadOutput, R> last;

    /** By position; changed in the event loop only, null where no answer has come. */
    private final List<@Nullable Reply<R>> replies;

    private final AwaitedReply<Reply<List<Reply<R>>>> reply = new AwaitedReply<>();

    /**
     * Prepares commands, which the writer sends.
     *
     * @param type of all of them
     * @param parts at least one
     * @param mapVersion the version of the slot map by which they were routed
     */
    public Pipeline(
            CommandType type,
            List<? extends Part> parts,
            Decoder<R> decoder,
            Sequel<R> sequel,
            long mapVersion,
            RoutedCommand.Carrier carrier) {
        int end = parts.size() - 1;
        this.type = type;
        this.parts = parts;
        this.decoder = decoder;
        this.sequel = sequel;
        this.carrier = carrier;
        this.replies = new ArrayList<>(Collections.nCopies(end, null));
        this.followers = new ArrayList<>(end);
        for (int i = 0; i < end; i++) {
            followers.add(new Follower(i));
        }
        this.last = new RoutedCommand<>(
                type, output, parts.get(end).arguments(), answer -> decoder.decode(end, answer), mapVersion, carrier);
        Futures.whenOver(last.reply(), (ofLast, failure) -> end(all(ofLast, failure)));
    }

    /** Returns what became of each, in their order. A caller may drive the event loop until it is there. */
    public CompletableFuture<Reply<List<Reply<R>>>> reply() {
        return reply;
    }

    @Override
    public RoutedCommand<HeadOutput, R> last() {
        return last;
    }

    @Override
    public int size() {
        return parts.size();
    }

    @Override
    public void abandon() {
        followers.forEach(Follower::leave);
    }

    @Override
    public void addTo(List<Gated> commands) {
        commands.addAll(followers);
        commands.add(last);
    }

    private void end(List<Reply<R>> all) {
        CompletableFuture<List<Reply<R>>> following = sequel.after(all);
        if (following == null) {
            reply.complete(Reply.done(all));
        } else {
            Futures.whenOver(following, (late, failure) -> reply.complete(Reply.done(late == null ? all : late)));
        }
    }

    /** What is not known of one is what is not known of the last one. */
    private List<Reply<R>> all(@Nullable Reply<R> ofLast, @Nullable Throwable failure) {
        Reply<R> end = ofLast == null ? Reply.unknown("no answer", failure) : ofLast;
        List<Reply<R>> all = new ArrayList<>(parts.size());
        for (Reply<R> known : replies) {
            all.add(known != null ? known : end instanceof Reply.Done ? Reply.unknown("no answer", null) : end);
        }
        all.add(end);
        return all;
    }

    /** One of those before the last. Used in the event loop only, once it is in the outbox. */
    private final class Follower implements RedisCommand<byte[], byte[], HeadOutput>, Gated {
        private final int index;
        private boolean left;

        Follower(int index) {
            this.index = index;
        }

        @Override
        public boolean passes(RouteVersionGuard versionGuard) {
            boolean admitted = versionGuard.admits(last);
            if (!admitted) {
                leave();
            }
            return admitted;
        }

        private boolean leave() {
            boolean first = !left;
            if (first) {
                left = true;
                carrier.followerLeft();
            }
            return first;
        }

        @Override
        public void encode(ByteBuf buffer) {
            parts.get(index).encode(buffer);
        }

        @Override
        public void complete() {
            if (leave()) {
                replies.set(index, RoutedCommand.answer(last, answer -> decoder.decode(index, answer)));
            }
            output.clear();
        }

        @Override
        public boolean completeExceptionally(Throwable cause) {
            boolean first = leave();
            if (first && !RoutedCommand.isTransport(cause)) {
                carrier.surprised("an answer to %s that could not be read".formatted(type));
            }
            return first;
        }

        @Override
        public void cancel() {
            leave();
        }

        @Override
        public boolean isDone() {
            return left;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public CommandOutput<byte[], byte[], HeadOutput> getOutput() {
            return output;
        }

        @Override
        public void setOutput(CommandOutput<byte[], byte[], HeadOutput> other) {
            throw new UnsupportedOperationException("the output is that of the pipeline");
        }

        @Override
        @SuppressWarnings("NullAway") // Lettuce has null here, where a command has no arguments of its kind.
        public CommandArgs<byte[], byte[]> getArgs() {
            return null;
        }

        @Override
        public ProtocolKeyword getType() {
            return type;
        }

        /** Lettuce looks for doubles by it: cheaper than what an object has by itself. */
        @Override
        public int hashCode() {
            return hash + index;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // No two of them are the same command.
        public boolean equals(@Nullable Object other) {
            return this == other;
        }
    }
}
