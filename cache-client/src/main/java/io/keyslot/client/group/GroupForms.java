// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.group.GroupedCaches.GroupedCache;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The stored forms of one group: its keys, its entries and rows, and the elements of its aggregates. */
record GroupForms(GroupKeys keys, GroupedCaches caches, ElementCodecs codecs) {
    /** Throws {@code ClassCastException} if there is a cache with values of another class. */
    @SuppressWarnings("unchecked") // checked
    <V> ValueForm<V> ofRows(String type, Class<V> valueClass) {
        codecs.requireReadableKeys(type);
        GroupedCache<?, ?> cache = caches.ofType(type).orElse(null);
        if (cache == null) {
            return new PlainRows<>(valueClass, codecs.ofRows(type, valueClass, keys.root()));
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

    /** The form of rows of an entity type without a cache, which expire only on request. */
    private record PlainRows<V>(Class<V> valueType, ValueCoder<V> coder) implements ValueForm<V> {
        @Override
        public Envelope encode(EncodedKey key, V value, long stamp, Expiry expiry, @Nullable Envelope before) {
            return coder.encode(key, value, 0, stamp);
        }

        @Override
        public Optional<V> decode(EncodedKey key, Envelope envelope) {
            return coder.decode(key, envelope);
        }

        @Override
        public Optional<Expiry> onCreation() {
            return Optional.of(Expiry.NEVER);
        }

        @Override
        public Optional<Expiry> onUpdate() {
            return Optional.of(Expiry.NEVER);
        }

        @Override
        public Expiry kept(Expiry expiry) {
            return expiry;
        }

        @Override
        public boolean mayBeBlind() {
            return true;
        }

        @Override
        public void requireWritable() {}
    }
}
