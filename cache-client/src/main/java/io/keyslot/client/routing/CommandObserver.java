// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.slot.PartitionId;

/** Is told about every command that had a partition to go to. */
@FunctionalInterface
public interface CommandObserver {
    /** Is not interested. */
    CommandObserver NONE = (partition, command, reply, nanos) -> {};

    /**
     * Is called once for each command, before its caller hears of the reply, by the thread that has it, possibly one that
     * does I/O: it must be short.
     *
     * @param partition the one that owned the slot when the command was sent; a newer slot map may have led it elsewhere
     * @param nanos what the caller waited: all attempts and the pauses between them
     */
    void onReply(PartitionId partition, Command<?> command, Reply<?> reply, long nanos);
}
