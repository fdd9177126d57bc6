// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import org.jspecify.annotations.Nullable;

/** Follows commands that have a partition from start to reply. Methods must not throw. */
public interface CommandFollower {
    boolean isFollowing();

    /**
     * Called by the sending thread before it sends the command. Returns the receiver of the end, or null. A newer slot
     * map may send the command to another partition than the current owner of the slot.
     */
    @Nullable
    Followed begin(PartitionOptions partition, Command<?> command);

    interface Followed {
        /**
         * Called once, by the thread that has the reply, possibly an I/O thread: must be short. A bug may make the
         * reply null.
         */
        void end(@Nullable Reply<?> reply);
    }
}
