// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.feed;

import java.util.List;

/**
 * Some changes of one partition, in the order in which they were made. Safe for use by several threads.
 */
public interface FeedBatch<K, V> {
    /** The most changes of a batch. */
    int MOST_CHANGES = 500;

    /** Returns the name of the partition. */
    String partition();

    /** Returns the changes, at most {@value #MOST_CHANGES} or about 1 MiB; none for a gap without later changes. */
    List<FeedChange<K, V>> changes();

    /**
     * Returns whether changes of this partition before those of this batch may be missing: because the group begins here,
     * the feed has removed them before they were read, or the partition has lost the feed or the position of the group. A
     * consumer that keeps a state reads the cache anew.
     */
    boolean isGap();

    /**
     * Returns the token of the lease under which the batch was read. It increases with each holder, so that a target can
     * refuse the writes of a process that has lost the partition without knowing.
     */
    long fencingToken();

    /**
     * Records at the partition that the group has processed all changes up to here. Otherwise they are delivered again after
     * this process ends or loses the partition. Has no effect if a later batch was recorded before.
     *
     * @throws io.keyslot.cache.failure.LockLostException if this process does not hold the partition any more; its new
     *     holder gets the changes again
     * @throws io.keyslot.cache.failure.PartitionUnavailableException if the partition refuses or does not answer
     */
    void checkpoint();
}
