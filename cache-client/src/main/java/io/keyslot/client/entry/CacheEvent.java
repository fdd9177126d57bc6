// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import java.util.function.UnaryOperator;
import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/** A change of an entry, as a listener sees it. */
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

    /** Returns the same with copies of the values, for one listener. */
    CacheEvent<K, V> copied(Cache<K, V> source, UnaryOperator<V> copying) {
        return new CacheEvent<>(source, getEventType(), key, copied(value, copying), copied(oldValue, copying));
    }

    private static <V> @Nullable V copied(@Nullable V value, UnaryOperator<V> copying) {
        return value == null ? null : copying.apply(value);
    }

    /** Returns the event for a listener that did not ask for old values; a removed value is an old one. */
    CacheEvent<K, V> withoutOldValue(Cache<K, V> source) {
        boolean isGone = getEventType() == EventType.REMOVED || getEventType() == EventType.EXPIRED;
        return new CacheEvent<>(source, getEventType(), key, isGone ? null : value, null);
    }

    @Override
    public K getKey() {
        return key;
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here for removed entries
    public V getValue() {
        return value;
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here where the old value is not available
    public V getOldValue() {
        return oldValue;
    }

    @Override
    public boolean isOldValueAvailable() {
        return oldValue != null;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return Unwrap.as(this, type);
    }
}
