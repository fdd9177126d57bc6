// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.slot.PartitionId;
import java.util.OptionalLong;

/** Hears which replicas there are to be read. Must not throw. */
public interface FollowerObserver {
    /** Is not interested. */
    FollowerObserver NONE = new FollowerObserver() {
        @Override
        public void onOpened(Follower follower) {}

        @Override
        public void onClosed(Follower follower) {}
    };

    /** A replica of a partition. Safe for use by several threads. */
    interface Follower {
        PartitionId partition();

        /** Returns where it is. */
        String address();

        /** Returns how old what it has is at most, in nanoseconds; empty if that is not known. */
        OptionalLong ageNanos();

        /** Returns how long it takes to answer, in nanoseconds, on the average of the last answers; empty if that is not known. */
        OptionalLong roundTripNanos();
    }

    /** It is read from now on. */
    void onOpened(Follower follower);

    /** It is read no more. */
    void onClosed(Follower follower);
}
