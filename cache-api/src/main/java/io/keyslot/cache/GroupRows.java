// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one entity type in one group, in the order of their ids.
 *
 * <p>The order is that of the UTF-8 bytes of the ids: {@code "10"} comes before {@code "9"}, so write numbers with
 * leading zeros and times as ISO 8601. A range is read from an index, which the script that writes an entry maintains,
 * without a search through other keys.
 * <pre>{@code
 * group.rows("order").from("2024-01").to("2024-02").limit(50).toMap(); // the first fifty of January
 * }</pre>
 *
 * <p>The rows are the entries {@code order:{customer:99}:<id>} of the cache of that entity type, if such a cache with
 * entity keys exists: each sees the changes of the other. An entry that expired, was evicted or was removed is not
 * found. If the index itself was evicted, a row is found again after its next write.
 */
public interface GroupRows<V> extends RowRange<V> {
    /** Returns the value of a row, or null if there is none. */
    @Nullable
    V get(String id);

    /** Stores a row that expires as the cache's expiry policy says, or never if there is no cache of this type. */
    void put(String id, V value);

    /** Stores a row with a time to live. */
    void put(String id, V value, Duration timeToLive);

    /** Removes a row; returns whether it existed. */
    boolean remove(String id);

    /**
     * Adds the rows that are missing in the index to it, as a server that evicts may have lost the index.
     *
     * <p>Scans all keys of the partition, a thousand at a time, which takes its server about a second per million keys:
     * use it after a shortage of memory, not before each read. It may run at any time, also while rows are written.
     * Rows that it found are in the index even if it stops early or fails.
     *
     * @param atMost the time limit; the scan stops with the first answer after that
     * @return whether the scan was complete, so that all rows that existed throughout are in the index
     * @throws IllegalStateException in a transaction
     */
    boolean reindex(Duration atMost);
}
