// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.function.UnaryOperator;
import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

final class CacheEvent<K, V> extends CacheEntryEvent<K, V> {
    private static final long serialVersionUID = 1L;

    private final transient K key;
    private final transient @Nullable V value;
    private final transient @Nullable V oldValue;

    CacheEvent(Cache<K, V> source, EventType type, K key, @Nullable V value, @Nullable V oldValue) {
        super(source, type);
        this.key = key;
        this.value = value;
        this.oldValue = oldValue;
    }

    CacheEvent<K, V> copied(Cache<K, V> source, UnaryOperator<V> copying) {
        return new CacheEvent<>(source, getEventType(), key, copied(value, copying), copied(oldValue, copying));
    }

    private static <V> @Nullable V copied(@Nullable V value, UnaryOperator<V> copying) {
        return value == null ? null : copying.apply(value);
    }

    /** Returns this event for a listener without old values; a removed value counts as an old value. */
    CacheEvent<K, V> withoutOldValue(Cache<K, V> source) {
        boolean isGone = getEventType() == EventType.REMOVED || getEventType() == EventType.EXPIRED;
        return new CacheEvent<>(source, getEventType(), key, isGone ? null : value, null);
    }

    @Override
    public K getKey() {
        return key;
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107: null for removed entries
    public V getValue() {
        return value;
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107: null if the old value is not available
    public V getOldValue() {
        return oldValue;
    }

    @Override
    public boolean isOldValueAvailable() {
        return oldValue != null;
    }

    @Override
    public String toString() {
        String before = oldValue == null ? "" : ", oldValue=" + oldValue;
        return "%s in %s: key=%s, value=%s%s".formatted(getEventType(), getSource(), key, value, before);
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return Unwrap.as(this, type);
    }
}
