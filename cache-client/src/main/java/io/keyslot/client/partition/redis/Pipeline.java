// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.redis.EntryPuts.EntrySet;
import io.keyslot.client.partition.redis.RouteVersionGuard.Gated;
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
 * Commands that are sent back to back and have one future with the reply of each. They are refused or written together.
 * Only the last one has a timer and a future of its own; the others are only their bytes and a place in the queue of
 * expected replies. Replies that arrived before a timeout or a connection loss are kept.
 *
 * <p>Not for a cluster node, which may redirect one of them.
 */
final class Pipeline implements WriteQueue.Outgoing {
    private final List<EntrySet> sets;
    private final RoutedCommand.Carrier carrier;
    private final CommandOutput<byte[], byte[], Boolean> output = Resp.ok(); // of all commands, one after the other
    private final int hash = System.identityHashCode(this); // several pipelines may be in one write
    private final List<Follower> followers;
    private final RoutedCommand<Boolean, Boolean> last;

    /** Replies by position; null until a reply has arrived. Confined to the event loop. */
    private final List<@Nullable Reply<Boolean>> replies;

    private final AwaitedReply<Reply<List<Reply<Boolean>>>> reply = new AwaitedReply<>();

    Pipeline(List<EntrySet> sets, long mapVersion, RoutedCommand.Carrier carrier) {
        int end = sets.size() - 1;
        this.sets = sets;
        this.carrier = carrier;
        this.replies = new ArrayList<>(Collections.nCopies(end, null));
        this.followers = new ArrayList<>(end);
        for (int i = 0; i < end; i++) {
            followers.add(new Follower(i));
        }
        this.last = new RoutedCommand<>(
                CommandType.SET, output, sets.get(end).arguments(), Resp::isOk, mapVersion, carrier);
        Futures.whenOver(last.reply(), (ofLast, failure) -> reply.complete(Reply.done(all(ofLast, failure))));
    }

    /**
     * Sends all commands, or none, and returns the replies in order. A caller may drive the event loop until they have
     * arrived.
     */
    CompletableFuture<Reply<List<Reply<Boolean>>>> write(CommandWriter writer) {
        if (!writer.writeTogether(last, sets.size(), this)) {
            followers.forEach(Follower::leave);
        }
        return reply;
    }

    @Override
    public void addTo(List<Gated> commands) {
        commands.addAll(followers);
        commands.add(last);
    }

    /** A command without a reply fails like the last one. */
    private List<Reply<Boolean>> all(@Nullable Reply<Boolean> ofLast, @Nullable Throwable failure) {
        Reply<Boolean> end = ofLast == null ? Reply.unknown("no answer", failure) : ofLast;
        List<Reply<Boolean>> all = new ArrayList<>(sets.size());
        for (Reply<Boolean> known : replies) {
            all.add(known != null ? known : end instanceof Reply.Done ? Reply.unknown("no answer", null) : end);
        }
        all.add(end);
        return all;
    }

    /** A command before the last one. Confined to the event loop after it was queued for writing. */
    private final class Follower implements RedisCommand<byte[], byte[], Boolean>, Gated {
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
                replies.set(index, RoutedCommand.answer(last, Resp::isOk));
            }
            output.setError((String) null);
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
        public CommandOutput<byte[], byte[], Boolean> getOutput() {
            return output;
        }

        @Override
        public void setOutput(CommandOutput<byte[], byte[], Boolean> other) {
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
}
