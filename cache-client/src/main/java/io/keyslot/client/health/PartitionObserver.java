// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.slot.PartitionId;
import java.time.Duration;

/**
 * An observer of a partition's state and pending deletes. Called by the thread that caused the event, possibly an I/O
 * thread: it must be short. Events of different threads may arrive in any order; the partition's status is
 * authoritative.
 */
@FunctionalInterface
public interface PartitionObserver {
    PartitionObserver NONE = transition -> {};

    void onTransition(Transition transition);

    /** The partition is healthy again after this absence. */
    default void onReturn(PartitionId partition, Duration absence) {}

    default void onReplayed(PartitionId partition, int deletions) {}

    /** There were too many pending deletes: everything that the partition has stored is invalidated. */
    default void onOverflow(PartitionId partition) {}
}
