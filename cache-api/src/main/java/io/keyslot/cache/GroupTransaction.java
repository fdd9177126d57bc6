// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/**
 * The reads and changes of a group transaction. Reads see the transaction's own changes. Changes are collected and
 * applied together when the work returns, if nothing that was read has changed since.
 *
 * <p>The first access to an aggregate reads it as a whole. Not for use after the work has returned, nor by several
 * threads. Blocking and asynchronous operations and locks throw {@code IllegalStateException}.
 */
public interface GroupTransaction extends GroupView {
    /**
     * Returns the entries of a cache that belong to this group.
     *
     * @param cache a cache of the same manager
     * @throws IllegalArgumentException if it is a cache of another manager
     */
    <K, V> GroupEntries<K, V> entries(PartitionedCache<K, V> cache);

    /**
     * Returns the rows of an entity type in this group, by id: there are no ranges in a transaction.
     *
     * @throws ClassCastException if the manager has an open cache of this type with values of another class
     */
    <V> TransactionRows<V> rows(String type, Class<V> valueClass);
}
