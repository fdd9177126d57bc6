// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.entry.ValueCoder;

/** How the rows of a group are stored: as the entries of the cache of their entity type, if there is one. */
record RowForms(GroupParts parts) {
    /** Returns the form of whatever values the rows of this type have. */
    @SuppressWarnings("unchecked") // the form checks each value
    ValueForm<Object> of(String type) {
        GroupedCache<?, ?> cache = parts.caches().ofType(type).orElse(null);
        return cache == null ? plain(type, Object.class) : (ValueForm<Object>) cache;
    }

    /**
     * Returns the form of values of this class.
     *
     * @throws ClassCastException if there is a cache with values of another class
     */
    @SuppressWarnings("unchecked") // checked
    <V> ValueForm<V> of(String type, Class<V> valueClass) {
        GroupedCache<?, ?> cache = parts.caches().ofType(type).orElse(null);
        if (cache == null) {
            return plain(type, valueClass);
        }
        if (cache.valueType() != valueClass) {
            throw new ClassCastException(
                    "Group %s: the rows of type %s are entries of the cache %s, with values of %s, not of %s"
                            .formatted(
                                    parts.keys().root().text(),
                                    type,
                                    cache.cache().getName(),
                                    cache.valueType().getName(),
                                    valueClass.getName()));
        }
        return (ValueForm<V>) cache;
    }

    private <V> ValueForm<V> plain(String type, Class<V> valueClass) {
        return new PlainRows<>(
                valueClass,
                new ValueCoder<>(type, parts.codecs().ofValues(valueClass), parts.limits(), parts.stamps()));
    }
}
