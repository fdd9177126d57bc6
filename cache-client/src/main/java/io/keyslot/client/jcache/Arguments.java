// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The checks at the start of every operation: the cache is open, and arguments are of the configured types. */
record Arguments<K, V>(String cacheName, Class<K> keyType, Class<V> valueType, Runnable requireOpen) {
    /** Returns these checks without the check that the cache is open. */
    Arguments<K, V> ofTypes() {
        return new Arguments<>(cacheName, keyType, valueType, () -> {});
    }

    void open() {
        requireOpen.run();
    }

    K key(@Nullable K key) {
        open();
        return checked(key, keyType, "key");
    }

    V value(@Nullable V value) {
        return checked(value, valueType, "value");
    }

    void entry(@Nullable K key, @Nullable V value) {
        key(key);
        value(value);
    }

    <C extends Collection<? extends K>> C keys(@Nullable C keys) {
        open();
        Objects.requireNonNull(keys, "keys");
        for (K key : keys) {
            K unused = checked(key, keyType, "key");
        }
        return keys;
    }

    <M extends Map<? extends K, ? extends V>> M entries(@Nullable M map) {
        open();
        Objects.requireNonNull(map, "map");
        for (Map.Entry<? extends K, ? extends V> entry : map.entrySet()) {
            K unusedKey = checked(entry.getKey(), keyType, "key");
            V unusedValue = checked(entry.getValue(), valueType, "value");
        }
        return map;
    }

    private <T> T checked(@Nullable T object, Class<T> type, String what) {
        Objects.requireNonNull(object, what);
        if (!type.isInstance(object)) {
            throw new ClassCastException("Cache %s: a %s must be of %s, but this one is of %s"
                    .formatted(
                            cacheName,
                            what,
                            type.getName(),
                            ((Object) object).getClass().getName()));
        }
        return object;
    }
}
