// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.cache.PartitionState;
import io.keyslot.slot.PartitionId;

/** Is told when a partition's state changes. */
@FunctionalInterface
public interface PartitionObserver {
    /** Is not interested. */
    PartitionObserver NONE = (partition, from, to) -> {};

    /**
     * Is called after each change, by the thread that caused it, possibly one that does I/O: it must be short. Two
     * changes by two threads may be told in either order; the partition's status has the last word.
     */
    void onTransition(PartitionId partition, PartitionState from, PartitionState to);
}
