// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks what an application hands in: not null, of the configured types. */
final class Arguments<K, V> {
    private final String cacheName;
    private final Class<K> keyType;
    private final Class<V> valueType;

    Arguments(String cacheName, Class<K> keyType, Class<V> valueType) {
        this.cacheName = cacheName;
        this.keyType = keyType;
        this.valueType = valueType;
    }

    Class<V> valueType() {
        return valueType;
    }

    K key(@Nullable K key) {
        return checked(key, keyType, "key");
    }

    V value(@Nullable V value) {
        return checked(value, valueType, "value");
    }

    <C extends Collection<? extends K>> C keys(@Nullable C keys) {
        Objects.requireNonNull(keys, "keys");
        keys.forEach(this::key);
        return keys;
    }

    <M extends Map<? extends K, ? extends V>> M entries(@Nullable M map) {
        Objects.requireNonNull(map, "map");
        map.forEach((key, value) -> {
            key(key);
            value(value);
        });
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
