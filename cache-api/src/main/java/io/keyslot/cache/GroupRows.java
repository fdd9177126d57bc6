// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/**
 * The entries of one entity type in one group, in the order of their ids.
 *
 * <p>The order is that of the UTF-8 bytes of the ids: {@code "10"} comes before {@code "9"}, so write numbers with
 * leading zeros and times as ISO 8601. A range is read from an index, which the script that writes an entry maintains,
 * without a search through other keys.
 * <pre>{@code
 * group.rows("order", Order.class).from("2024-01").to("2024-02").limit(50).toMap(); // the first fifty of January
 * }</pre>
 *
 * <p>The rows are the entries {@code order:{customer:99}:<id>} of the cache of that entity type, if such a cache with
 * entity keys exists: each sees the changes of the other. An entry that expired, was evicted or was removed is not
 * found. If the index itself was evicted, a row is found again after its next write.
 */
public interface GroupRows<V> extends TransactionRows<V>, RowRange<V> {}
