// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.slot.PartitionId;

/** Hears of trouble with the copies of a replicated cache. May be called by a thread that does I/O; must not throw. */
public interface CopyObserver {
    /** Is not interested. */
    CopyObserver NONE = new CopyObserver() {
        @Override
        public void onJournaled(PartitionId partition) {}

        @Override
        public void onRepaired() {}

        @Override
        public void onOverflow() {}
    };

    /** A partition could not be told that an entry changes: its copy is deleted before this process asks it again. */
    void onJournaled(PartitionId partition);

    /** The copies of an entry, whose owner had not answered, agree with it again. */
    void onRepaired();

    /** More entries wait for that than are remembered: the copies of one more may differ until they expire. */
    void onOverflow();
}
