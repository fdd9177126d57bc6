// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.entry.CacheCalls;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What every operation begins with: the cache is open, and what it is given is not null and of the configured types. */
final class Arguments<K, V> {
    private final CacheCalls<K> calls;
    private final Class<K> keyType;
    private final Class<V> valueType;
    private final Runnable requireOpen;

    /** @param requireOpen throws if the cache is closed */
    Arguments(CacheCalls<K> calls, Class<K> keyType, Class<V> valueType, Runnable requireOpen) {
        this.calls = calls;
        this.keyType = keyType;
        this.valueType = valueType;
        this.requireOpen = requireOpen;
    }

    /** Returns the same checks for who knows that the cache is open, or may go on although it is not. */
    Arguments<K, V> ofTypes() {
        return new Arguments<>(calls, keyType, valueType, () -> {});
    }

    Class<V> valueType() {
        return valueType;
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
        keys.forEach(key -> checked(key, keyType, "key"));
        return keys;
    }

    void entries(@Nullable Map<? extends K, ? extends V> map) {
        open();
        Objects.requireNonNull(map, "map");
        map.forEach((key, value) -> {
            checked(key, keyType, "key");
            value(value);
        });
    }

    /** Refuses a batch that is too large. */
    void batch(int size) {
        calls.checkBatch(size);
    }

    private <T> T checked(@Nullable T object, Class<T> type, String what) {
        Objects.requireNonNull(object, what);
        if (!type.isInstance(object)) {
            throw new ClassCastException("Cache %s: a %s must be of %s, but this one is of %s"
                    .formatted(
                            calls.name(),
                            what,
                            type.getName(),
                            ((Object) object).getClass().getName()));
        }
        return object;
    }
}
