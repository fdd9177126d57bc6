// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import javax.cache.Cache;

/** An entry with its location. The entries of a {@link PartitionedCache}'s iterator unwrap to it. */
public interface PartitionedEntry<K, V> extends Cache.Entry<K, V> {
    /** Returns the text under which the entry is stored: {@code customer:99}. */
    String entityKey();

    /** Returns the hash slot. */
    int slot();

    /** Returns the stamp of the write that stored this value; every write has another. */
    long stamp();
}
