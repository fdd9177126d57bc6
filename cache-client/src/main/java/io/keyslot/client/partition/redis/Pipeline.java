// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.redis.wire.AwaitedReply;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.RouteVersionGuard;
import io.keyslot.client.partition.redis.wire.RouteVersionGuard.Gated;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.WriteQueue;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Commands that are sent back to back and have one future with the reply of each. They are refused or written together.
 * Only the last one has a timer and a future of its own; the others are only their bytes and a place in the queue of
 * expected replies. Replies that arrived before a timeout or a connection loss are kept.
 *
 * <p>Not for a cluster node, which may redirect one of them.
 */
final class Pipeline<R> implements WriteQueue.Outgoing {
    public interface Part {
        byte[][] arguments();

        void encode(ByteBuf buffer);
    }

    /** Decodes a reply; throws if it does not fit the command. */
    @FunctionalInterface
    public interface Decoder<R> {
        R decode(int index, HeadOutput answer);
    }

    @FunctionalInterface
    public interface Sequel<R> {
        /** Returns the final replies; null if the given ones are final. */
        @Nullable
        CompletableFuture<List<Reply<R>>> after(List<Reply<R>> replies);
    }

    private final CommandType type;
    private final List<? extends Part> parts;
    private final Decoder<R> decoder;
    private final Sequel<R> sequel;
    private final RoutedCommand.Carrier carrier;
    private final HeadOutput output = new HeadOutput();
    private final int hash = System.identityHashCode(this); // several pipelines may be in one write
    private final List<Follower> followers;
    private final RoutedCommand<HeadOutput, R> last;

    /** Replies by position; null until a reply has arrived. Confined to the event loop. */
    private final List<@Nullable Reply<R>> replies;

    private final AwaitedReply<Reply<List<Reply<R>>>> reply = new AwaitedReply<>();

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

    /** Returns the replies in order. A caller may drive the event loop until they have arrived. */
    public CompletableFuture<Reply<List<Reply<R>>>> reply() {
        return reply;
    }

    /** Sends all commands, or none, and returns the {@linkplain #reply replies}. */
    public CompletableFuture<Reply<List<Reply<R>>>> write(CommandWriter writer) {
        if (!writer.writeTogether(last, parts.size(), this)) {
            followers.forEach(Follower::leave);
        }
        return reply;
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

    /** A command without a reply fails like the last one. */
    private List<Reply<R>> all(@Nullable Reply<R> ofLast, @Nullable Throwable failure) {
        Reply<R> end = ofLast == null ? Reply.unknown("no answer", failure) : ofLast;
        List<Reply<R>> all = new ArrayList<>(parts.size());
        for (Reply<R> known : replies) {
            all.add(known != null ? known : end instanceof Reply.Done ? Reply.unknown("no answer", null) : end);
        }
        all.add(end);
        return all;
    }

    /** A command before the last one. Confined to the event loop after it was queued for writing. */
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
        @SuppressWarnings("NullAway") // Lettuce has null here if a command has no arguments of its kind.
        public CommandArgs<byte[], byte[]> getArgs() {
            return null;
        }

        @Override
        public ProtocolKeyword getType() {
            return type;
        }

        /** Lettuce detects duplicates by hash code; this is cheaper than an identity hash code per object. */
        @Override
        public int hashCode() {
            return hash + index;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // No two instances are the same command.
        public boolean equals(@Nullable Object other) {
            return this == other;
        }
    }

    /** The first bytes of a reply, without an array for the rest. All commands of a {@link Pipeline} share one. */
    public static final class HeadOutput extends CommandOutput<byte[], byte[], HeadOutput> {
        /** More than the header of an entry. */
        private static final int MOST_BYTES = 32;

        private static final byte[] OK = "OK".getBytes(StandardCharsets.US_ASCII);
        private static final int NOTHING = -1;

        private final byte[] head = new byte[MOST_BYTES];
        private int length = NOTHING;

        HeadOutput() {
            super(ByteArrayCodec.INSTANCE, null);
        }

        @Override
        public HeadOutput get() {
            return this;
        }

        @Override
        public void set(ByteBuffer bytes) {
            if (bytes == null) {
                length = NOTHING;
            } else {
                length = bytes.remaining();
                bytes.get(bytes.position(), head, 0, Math.min(length, MOST_BYTES));
            }
        }

        public boolean isNothing() {
            return length == NOTHING;
        }

        public boolean isOk() {
            return length == OK.length && Arrays.equals(head, 0, length, OK, 0, OK.length);
        }

        public int length() {
            return length;
        }

        /** Returns the first bytes of the text; bytes beyond its length are undefined. Valid until the next reply. */
        public byte[] head() {
            return head;
        }

        void clear() {
            length = NOTHING;
            setError((String) null);
        }
    }
}
