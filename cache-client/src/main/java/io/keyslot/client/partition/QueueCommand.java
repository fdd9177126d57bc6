// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command about a fragment of a queue, which is in the slot of its {@link #home}. {@code queue.lua} has the rules. */
public sealed interface QueueCommand<R> extends Command<R> {
    GroupHome home();

    @Override
    default List<EncodedKey> keys() {
        return List.of(home().messages(), home().order());
    }

    /**
     * Stores a message, unless one with this id was stored within the window. Session and id are empty for none.
     * {@code atMost} is the bound of the messages, dead letters included, and of the remembered ids.
     */
    record Send(GroupHome home, Element payload, String session, String id, int atMost, long windowMillis)
            implements QueueCommand<Sent> {
        @Override
        public boolean isRepeatable() {
            return !id.isEmpty();
        }
    }

    enum Sent {
        FULL,
        STORED,
        REPEATED
    }

    /**
     * Leases the message that has waited longest, or the dead letter. Messages that had this many deliveries become dead
     * letters instead.
     */
    record Receive(GroupHome home, boolean isOfDead, long leaseMillis, int deliveries)
            implements QueueCommand<Received> {}

    /**
     * A message, null if there is none; the number of messages of the fragment with dead letters; how many have become dead
     * letters by this command; and how many it found to be lost by an eviction.
     */
    record Received(@Nullable Delivery delivery, long size, long died, long lost) {}

    /** A leased message; {@code count} is the number of its deliveries. The session is empty for none. */
    record Delivery(String number, long count, String session, Element payload) {}

    /** Answers whether the message was not delivered again since, and is here. */
    record Settle(GroupHome home, boolean isOfDead, Delivery delivery, Settlement as, long leaseMillis)
            implements QueueCommand<Boolean> {}

    /** Answers how many messages may be received now, are leased, wait for an earlier one of their session, are dead letters. */
    record Describe(GroupHome home) implements QueueCommand<List<Long>> {}

    enum Settlement {
        /** Removes the message. */
        COMPLETE,
        /** Ends the lease. */
        ABANDON,
        RENEW
    }
}
