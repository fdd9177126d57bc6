// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one entity type in one group, in the order of their ids.
 *
 * <p>The order is that of the UTF-8 bytes of the id's text: {@code "10"} comes before {@code "9"}, so numbers are written
 * with leading zeros and times as ISO 8601. A range is read from an index that is kept by the same script that writes the
 * entry, without looking at other keys.
 *
 * <pre>{@code
 * group.rows("order").from("2024-01").to("2024-02").limit(50).toMap(); // the first fifty of January
 * }</pre>
 *
 * <p>These are the entries {@code order:{customer:99}:<id>} of the cache of that entity type, if there is one with entity
 * keys: what the cache puts is found here, and the other way round. An entry that expires, is evicted or removed is not
 * found any more. If the index itself was evicted, a row is found again once it was written again.
 *
 * @param <V> the type of the values
 */
public interface GroupRows<V> extends RowRange<V> {
    /** Returns the value of a row, or null if there is none. */
    @Nullable
    V get(String id);

    /** Stores a row, to expire as the cache's expiry policy says, or never if there is no cache of this type. */
    void put(String id, V value);

    /** Stores a row, to expire after this time. */
    void put(String id, V value, Duration timeToLive);

    /** Removes a row; returns whether there was one. */
    boolean remove(String id);

    /**
     * Lists again those rows that the index has lost, as it may have on a server that evicts.
     *
     * <p>This looks at all keys of the partition, a thousand at a time, which takes its server about a second for each
     * million: it is for the time after a shortage of memory, not for each read. It may be called at any time, also while
     * rows are written. What it has found is listed even if it does not get through or fails.
     *
     * @param atMost the time it may take; it stops with the first answer after that
     * @return whether it got through, so that all rows are listed that were there all the time
     * @throws IllegalStateException in a transaction
     */
    boolean reindex(Duration atMost);
}
