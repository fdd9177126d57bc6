// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.slot.PartitionId;
import java.util.OptionalLong;

/** Receives the replicas that are opened for reads and closed. Must not throw. */
public interface FollowerObserver {
    FollowerObserver NONE = new FollowerObserver() {
        @Override
        public void onOpened(Follower follower) {}

        @Override
        public void onClosed(Follower follower) {}
    };

    /** A replica of a partition. Thread-safe. */
    interface Follower {
        PartitionId partition();

        String address();

        /** Returns the highest possible age of its data in nanoseconds, or empty if it is not known. */
        OptionalLong ageNanos();

        /** Returns the average time of its last replies in nanoseconds, or empty if it is not known. */
        OptionalLong roundTripNanos();
    }

    void onOpened(Follower follower);

    void onClosed(Follower follower);
}
