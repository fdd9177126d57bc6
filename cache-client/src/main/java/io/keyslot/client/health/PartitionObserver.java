// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.slot.PartitionId;
import java.time.Duration;

/**
 * Is told when a partition's state changes, and what becomes of deletions that it could not do at once.
 *
 * <p>Each method is called by the thread that caused what it tells, possibly one that does I/O: it must be short. What two
 * threads caused may be told in either order; the partition's status has the last word.
 */
@FunctionalInterface
public interface PartitionObserver {
    /** Is not interested. */
    PartitionObserver NONE = transition -> {};

    /** Is called after each change. */
    void onTransition(Transition transition);

    /** The partition, which had been healthy before, is so again, after this time without it. */
    default void onReturn(PartitionId partition, Duration absence) {}

    /** So many deletions that had waited were done. */
    default void onReplayed(PartitionId partition, int deletions) {}

    /** More deletions wait than are remembered: everything that the partition has stored is given up. */
    default void onOverflow(PartitionId partition) {}
}
