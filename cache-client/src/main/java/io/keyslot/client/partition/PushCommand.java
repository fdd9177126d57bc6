// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.util.List;

/** What a partition is asked about pushes: {@link PartitionConnection#listen}. */
public sealed interface PushCommand<R> extends Command<R> {
    /**
     * Lets this connection be told from now on when something changes: {@link PartitionConnection#listen}. Answers true; it is
     * refused for good by a partition that cannot do it, or not in the order of its replies.
     *
     * <p>Without prefixes, what is told are the keys that {@code Get} and {@code GetAll} have read on this connection since,
     * each once after it was read last, and perhaps others. With prefixes, all keys that start with one of them, read or not;
     * these come soon, but in no order with replies. Changes made by this connection are told too, at the latest behind their
     * replies. That an entry has expired need not be told before somebody looks for it. A connection tracks in one way.
     *
     * @param prefixes none of which is the beginning of another
     */
    record Track(List<String> prefixes) implements PushCommand<Boolean> {
        public Track {
            prefixes = List.copyOf(prefixes);
        }

        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.TRACK;
        }
    }
}
