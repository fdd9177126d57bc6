// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.PartitionedEntry;
import io.keyslot.client.entry.Unwrap;

/** An entry that an iterator or a scan found. */
record StoredEntry<K, V>(K key, V value, String entityKey, int slot, long stamp) implements PartitionedEntry<K, V> {
    @Override
    public K getKey() {
        return key;
    }

    @Override
    public V getValue() {
        return value;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return Unwrap.as(this, type);
    }
}
