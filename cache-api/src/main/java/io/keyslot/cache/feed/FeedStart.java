// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.feed;

/**
 * Where a group begins to read a partition that has no position of the group. In either case its first batch is a
 * {@linkplain FeedBatch#isGap() gap}.
 */
public enum FeedStart {
    /** At the oldest change that the partition has kept. */
    EARLIEST,
    /** After the latest change. */
    LATEST;

    public static FeedStart earliest() {
        return EARLIEST;
    }

    public static FeedStart latest() {
        return LATEST;
    }
}
