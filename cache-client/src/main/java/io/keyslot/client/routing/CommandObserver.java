// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.slot.PartitionId;

/** An observer of every command that has a partition. */
@FunctionalInterface
public interface CommandObserver {
    CommandObserver NONE = (partition, command, reply, nanos) -> {};

    /**
     * Called once for each command, before its caller receives the reply, possibly by an I/O thread: must be short. The
     * partition is the owner of the slot when the command was sent; a newer slot map may have redirected it. The time
     * is what the caller waited, including all attempts and pauses.
     */
    void onReply(PartitionId partition, Command<?> command, Reply<?> reply, long nanos);
}
