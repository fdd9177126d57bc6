// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A command that starts or sends pushes; see {@link PartitionConnection#listen}. */
public sealed interface PushCommand<R> extends Command<R> {
    /**
     * Starts invalidations on this connection. Answers true. Refused for good if the partition cannot send them in the
     * order of its replies.
     *
     * <p>Without prefixes, the partition reports changes of the keys that {@code Get} and {@code GetAll} have read on
     * this connection, each once after its last read, and possibly of others; with {@code isOfAsked}, only of keys that
     * tracked reads have read. With prefixes, none of which is a prefix of another, it reports all keys with one of
     * them, read or not, promptly but in no order with replies. Changes by this connection are reported too, at the
     * latest right after their replies. An expiry may be reported only once a client accesses the entry. A connection
     * tracks in one way; prefixes may be added later.
     */
    record Track(List<String> prefixes, boolean isOfAsked) implements PushCommand<Boolean> {
        public Track {
            prefixes = List.copyOf(prefixes);
            if (isOfAsked && !prefixes.isEmpty()) {
                throw new IllegalArgumentException("with prefixes no key has to be read: none can be asked for");
            }
        }

        public Track(List<String> prefixes) {
            this(prefixes, false);
        }

        public static Track asked() {
            return new Track(List.of(), true);
        }
    }

    /**
     * Subscribes this connection to channels; see {@link Push.Message}. Answers true.
     *
     * <p>The connection receives each message published after the answer once, in the order of publication and in order
     * with replies, until it is lost. A new connection has no subscriptions; a client that caches data about these
     * messages must reload it after subscribing again. A channel is shared by all databases and namespaces of an
     * instance, so its name must distinguish them. {@code channels} has at least one name; a connection may use
     * {@link Channels#MOST} in total.
     */
    record Subscribe(List<String> channels) implements PushCommand<Boolean> {
        public Subscribe {
            channels = channels.stream().distinct().toList();
            if (channels.isEmpty() || channels.stream().anyMatch(String::isEmpty)) {
                throw new IllegalArgumentException("a subscription needs a channel, and a channel a name");
            }
        }
    }

    /**
     * Publishes a message to the current subscribers of a channel. Answers the number of subscribed connections, some
     * of which may be lost before they receive it. The payload has at most {@value #MOST_BYTES} bytes.
     */
    record Publish(String channel, ByteBuffer payload) implements PushCommand<Long> {
        /** A longer payload would delay the replies behind it. */
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
    }

    /** The channels that one connection has subscribed to, including refused ones. Thread-safe. */
    final class Channels {
        public static final int MOST = 1_000;

        private static final Reply.Refused<Boolean> TOO_MANY =
                new Reply.Refused<>(Refusal.FORBIDDEN, "a connection listens to %d channels at most".formatted(MOST));

        private final Set<String> names = new HashSet<>();

        public synchronized boolean admit(List<String> channels) {
            long more = channels.stream()
                    .filter(channel -> !names.contains(channel))
                    .count();
            return names.size() + more <= MOST && (names.addAll(channels) || more == 0);
        }

        public static Reply<Boolean> tooMany() {
            return TOO_MANY;
        }
    }
}
