// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import javax.cache.Cache;

/**
 * An entry that knows where it is stored. The entries of a {@link PartitionedCache}'s iterator unwrap to it.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface PartitionedEntry<K, V> extends Cache.Entry<K, V> {
    /** Returns the text under which the entry is stored: {@code customer:99}. */
    String entityKey();

    /** Returns the hash slot. */
    int slot();

    /** Returns the stamp of the write that this value comes from; every write has another. */
    long stamp();
}
