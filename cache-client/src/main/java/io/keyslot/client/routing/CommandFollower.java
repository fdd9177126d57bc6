// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import org.jspecify.annotations.Nullable;

/** Follows commands that have a partition to go to, from their beginning to their reply. Nothing here may throw. */
public interface CommandFollower {
    /** Returns whether a command that the calling thread sends now would be followed. */
    boolean isFollowing();

    /**
     * Is told on the thread that sends the command, before it does.
     *
     * @param partition the one that owns the slot now; a newer slot map may lead the command elsewhere
     * @return who is told of the end, null if nobody is
     */
    @Nullable
    Followed begin(PartitionOptions partition, Command<?> command);

    /** A command that was begun. */
    interface Followed {
        /**
         * Is called once, by the thread that has the reply, possibly one that does I/O: it must be short.
         *
         * @param reply null if a bug has kept it away
         */
        void end(@Nullable Reply<?> reply);
    }
}
