// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.redis.EntryPuts.EntrySet;
import io.keyslot.client.partition.redis.RouteVersionGuard.Gated;
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
final class Pipeline implements WriteQueue.Outgoing {
    private final EntryPuts owner;
    private final List<Command.Put> puts;
    private final List<EntrySet> sets;
    private final RoutedCommand.Carrier carrier;
    private final HeadOutput output = new HeadOutput();
    private final int hash = System.identityHashCode(this); // several pipelines may be in one write
    private final List<Follower> followers;
    private final RoutedCommand<HeadOutput, Boolean> last;

    /** Replies by position; null until a reply has arrived. Confined to the event loop. */
    private final List<@Nullable Reply<Boolean>> replies;

    private final AwaitedReply<Reply<List<Reply<Boolean>>>> reply = new AwaitedReply<>();

    Pipeline(
            EntryPuts owner,
            List<Command.Put> puts,
            List<EntrySet> sets,
            long mapVersion,
            RoutedCommand.Carrier carrier) {
        int end = puts.size() - 1;
        this.owner = owner;
        this.puts = puts;
        this.sets = sets;
        this.carrier = carrier;
        this.replies = new ArrayList<>(Collections.nCopies(end, null));
        this.followers = new ArrayList<>(end);
        for (int i = 0; i < end; i++) {
            followers.add(new Follower(i));
        }
        this.last = new RoutedCommand<>(
                CommandType.SET,
                output,
                sets.get(end).arguments(),
                answer -> owner.isSettled(puts.get(end), answer),
                mapVersion,
                carrier);
        Futures.whenOver(last.reply(), (ofLast, failure) -> end(all(ofLast, failure)));
    }

    /**
     * Sends all commands, or none, and returns the replies in order. A caller may drive the event loop until they have
     * arrived.
     */
    CompletableFuture<Reply<List<Reply<Boolean>>>> write(CommandWriter writer) {
        if (!writer.writeTogether(last, puts.size(), this)) {
            followers.forEach(Follower::leave);
        }
        return reply;
    }

    @Override
    public void addTo(List<Gated> commands) {
        commands.addAll(followers);
        commands.add(last);
    }

    private void end(List<Reply<Boolean>> all) {
        CompletableFuture<List<Reply<Boolean>>> following = owner.afterPipeline(puts, all);
        if (following == null) {
            reply.complete(Reply.done(all));
        } else {
            Futures.whenOver(following, (late, failure) -> reply.complete(Reply.done(late == null ? all : late)));
        }
    }

    /** A command without a reply fails like the last one. */
    private List<Reply<Boolean>> all(@Nullable Reply<Boolean> ofLast, @Nullable Throwable failure) {
        Reply<Boolean> end = ofLast == null ? Reply.unknown("no answer", failure) : ofLast;
        List<Reply<Boolean>> all = new ArrayList<>(puts.size());
        for (Reply<Boolean> known : replies) {
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
            sets.get(index).encode(buffer);
        }

        @Override
        public void complete() {
            if (leave()) {
                replies.set(index, RoutedCommand.answer(last, answer -> owner.isSettled(puts.get(index), answer)));
            }
            output.clear();
        }

        @Override
        public boolean completeExceptionally(Throwable cause) {
            boolean first = leave();
            if (first && !RoutedCommand.isTransport(cause)) {
                carrier.surprised("an answer to SET that could not be read");
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
            return CommandType.SET;
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
    static final class HeadOutput extends CommandOutput<byte[], byte[], HeadOutput> {
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

        boolean isNothing() {
            return length == NOTHING;
        }

        boolean isOk() {
            return length == OK.length && Arrays.equals(head, 0, length, OK, 0, OK.length);
        }

        int length() {
            return length;
        }

        /** Returns the first bytes of the text; bytes beyond its length are undefined. Valid until the next reply. */
        byte[] head() {
            return head;
        }

        void clear() {
            length = NOTHING;
            setError((String) null);
        }
    }
}
