// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import javax.cache.Cache;

/** The entry that a cache writer receives. */
record SimpleEntry<K, V>(K key, V value) implements Cache.Entry<K, V> {
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
