// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

/** Nobody asks how long a get takes. */
final class KeyslotCache<K, V> {
    public V get(K key) {
        lifecycle.checkOpen();
        check.key(key);
        return reads.get(key);
    }
}
