// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.nio.ByteBuffer;
import java.util.List;

/** What a partition is asked about pushes: {@link PartitionConnection#listen}. */
public sealed interface PushCommand<R> extends Command<R> {
    /**
     * Lets this connection be told from now on when something changes. Answers true; it is refused for good by a partition
     * that cannot do it, or not in the order of its replies.
     *
     * <p>Without prefixes, what is told are the keys that {@code Get} and {@code GetAll} have read on this connection since,
     * each once after it was read last, and perhaps others; if only asked ones count, those that a tracked read has read, and
     * no key that none has. With prefixes, all keys that start with one of them, read or not; these come soon, but in no order
     * with replies. Changes made by this connection are told too, at the latest behind their replies. That an entry has
     * expired need not be told before somebody looks for it. A connection tracks in one way; by prefixes, it may be asked for
     * further ones.
     *
     * @param prefixes none of which is the beginning of another
     * @param isOfAsked whether only tracked reads count: {@link Command.GetTracked}, {@link Command.GetAllTracked}
     */
    record Track(List<String> prefixes, boolean isOfAsked) implements PushCommand<Boolean> {
        public Track {
            prefixes = List.copyOf(prefixes);
            if (isOfAsked && !prefixes.isEmpty()) {
                throw new IllegalArgumentException("with prefixes no key has to be read: none can be asked for");
            }
        }

        /** Of all that is read, or of all keys with these prefixes. */
        public Track(List<String> prefixes) {
            this(prefixes, false);
        }

        /** Of what tracked reads read. */
        public static Track asked() {
            return new Track(List.of(), true);
        }

        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.TRACK;
        }
    }

    /**
     * Lets this connection hear from now on what is published on these channels: {@link Push.Message}. Answers true.
     *
     * <p>Whatever is published after the answer is heard, once, in the order in which it was published and in its order with
     * replies, as long as the connection lasts. The next connection hears nothing before it asks: who keeps what messages are
     * about looks anew after the answer to that. A channel belongs to the whole instance, whichever database or namespace uses
     * it; so its name tells them apart.
     *
     * @param channels at least one; those that one connection has ever asked for are 1,000 at most
     */
    record Subscribe(List<String> channels) implements PushCommand<Boolean> {
        public Subscribe {
            channels = channels.stream().distinct().toList();
            if (channels.isEmpty() || channels.stream().anyMatch(String::isEmpty)) {
                throw new IllegalArgumentException("a subscription needs a channel, and a channel a name");
            }
        }

        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.SUBSCRIBE;
        }
    }

    /**
     * Tells everybody who listens to a channel at this moment. Answers how many connections do; some of them may be lost before
     * they hear it.
     *
     * @param payload {@value #MOST_BYTES} bytes at most
     */
    record Publish(String channel, ByteBuffer payload) implements PushCommand<Long> {
        /** A longer one would hold up the replies behind it. */
        public static final int MOST_BYTES = 1 << 16;

        public Publish {
            if (channel.isEmpty() || payload.remaining() > MOST_BYTES) {
                throw new IllegalArgumentException(
                        "a message needs a channel, and has %d bytes at most".formatted(MOST_BYTES));
            }
            payload = ByteBuffer.allocate(payload.remaining())
                    .put(payload.duplicate())
                    .flip()
                    .asReadOnlyBuffer();
        }

        @Override
        public ByteBuffer payload() {
            return payload.duplicate();
        }

        @Override
        public CommandKind<Long> kind() {
            return CommandKind.PUBLISH;
        }
    }
}
