// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import java.util.Objects;

/** The stored forms of one group: its keys, its entries and rows, and the elements of its aggregates. */
record GroupForms(GroupKeys keys, GroupedCaches caches, ElementCodecs codecs) {
    /** Throws {@code IllegalStateException} if the manager is closed. */
    public void checkOpen() {
        caches.checkOpen();
    }

    public <K, V> GroupedCache<K, V> of(PartitionedCache<K, V> cache) {
        return caches.of(Objects.requireNonNull(cache, "cache"));
    }

    /** Returns the form of rows with values of any class: that of the cache of this type, if there is one. */
    @SuppressWarnings("unchecked") // the form checks each value
    public ValueForm<Object> ofRows(String type) {
        GroupedCache<?, ?> cache = caches.ofType(type).orElse(null);
        return cache == null ? plain(type, Object.class) : (ValueForm<Object>) cache;
    }

    /** Throws {@code ClassCastException} if there is a cache with values of another class. */
    @SuppressWarnings("unchecked") // checked
    public <V> ValueForm<V> ofRows(String type, Class<V> valueClass) {
        GroupedCache<?, ?> cache = caches.ofType(type).orElse(null);
        if (cache == null) {
            return plain(type, valueClass);
        }
        if (cache.valueType() != valueClass) {
            throw new ClassCastException(
                    "Group %s: the rows of type %s are entries of the cache %s, with values of %s, not of %s"
                            .formatted(
                                    keys.root().text(),
                                    type,
                                    cache.cache().getName(),
                                    cache.valueType().getName(),
                                    valueClass.getName()));
        }
        return (ValueForm<V>) cache;
    }

    private <V> ValueForm<V> plain(String type, Class<V> valueClass) {
        return new PlainRows<>(valueClass, codecs.ofRows(type, valueClass));
    }

    public <E> ElementCoder<E> ofElements(EntityKey key, Class<E> type) {
        return codecs.ofElements(keys.titleOf(key), type);
    }
}
