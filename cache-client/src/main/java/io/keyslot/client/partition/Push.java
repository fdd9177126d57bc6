// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import java.nio.ByteBuffer;
import java.util.List;

/** What a partition tells a connection without being asked. */
public sealed interface Push {
    /** What is under these keys has changed, or is about to, since this connection read it. */
    record Invalidated(List<EncodedKey> keys) implements Push {
        public Invalidated {
            keys = List.copyOf(keys);
        }
    }

    /**
     * Anything may have changed: the partition was emptied, what it told cannot be understood, or it will tell nothing more
     * because the connection is lost. Messages may have been missed too, for the same reasons.
     *
     * @param isLost whether it is the last thing told, because the connection is lost
     */
    record AllInvalidated(String reason, boolean isLost) implements Push {
        /** Of a connection that goes on. */
        public AllInvalidated(String reason) {
            this(reason, false);
        }
    }

    /**
     * Something was published on a channel that this connection listens to.
     *
     * @param payload is not changed by whoever made it; nobody who gets it can
     */
    record Message(String channel, ByteBuffer payload) implements Push {
        public Message {
            payload = payload.asReadOnlyBuffer();
        }

        @Override
        public ByteBuffer payload() {
            return payload.duplicate();
        }
    }
}
