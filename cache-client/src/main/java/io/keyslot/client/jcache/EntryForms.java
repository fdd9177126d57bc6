// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.Client;
import io.keyslot.client.codec.AllowedClasses;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.codec.VerifiedCodec;
import io.keyslot.client.codec.VerifiedCodec.TypedCodec;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.entry.Lifetimes;
import io.keyslot.client.entry.RawOptions;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.key.KeyCodec.KeySpace;
import io.keyslot.client.stored.EncodedKey;
import java.util.function.UnaryOperator;

/** How the entries of a cache are stored: their keys, the bytes of their values, their expiry and freshness. */
record EntryForms<K, V>(KeyCodec<K> keys, ValueCoder<V> coder, ExpiryRules rules, Lifetimes lifetimes) {
    /** Returns the codec of keys; {@code codec} names the cache's codec. */
    static <K> KeyCodec<K> keysOf(
            Client client,
            ClassLoader classLoader,
            String entityType,
            PartitionedConfiguration<K, ?> configuration,
            String codec,
            AllowedClasses allowed) {
        KeyCodec<K> keys = KeyCodec.create(
                new KeySpace(client.options().namespace(), entityType, configuration.getGroupedBy()),
                configuration.getKeyType(),
                classLoader,
                allowed,
                Codecs.ofKeys(codec, allowed, classLoader));
        if (RawOptions.areIn(configuration)) {
            return keys.raw();
        }
        return isIndexed(configuration) ? keys.indexed() : keys;
    }

    /** Returns the conversion of listed keys to keys of the cache. */
    static UnaryOperator<EncodedKey> listedKeysOf(PartitionedConfiguration<?, ?> configuration) {
        if (RawOptions.areIn(configuration)) {
            return EncodedKey::raw;
        }
        return isIndexed(configuration) ? EncodedKey::indexed : UnaryOperator.identity();
    }

    /** Returns whether groups list the entries of the cache. */
    static boolean isIndexed(PartitionedConfiguration<?, ?> configuration) {
        Boolean indexed = configuration.getIndexed();
        return indexed == null ? configuration.getGroupedBy() != null : indexed;
    }

    static <V> ValueCoder<V> coderOf(
            String name,
            PartitionedConfiguration<?, V> configuration,
            Codec<V> codec,
            EntryLimits limits,
            StampSource stamps) {
        Class<V> type = configuration.getValueType();
        return RawOptions.areIn(configuration)
                ? ValueCoder.raw(name, new TypedCodec<>(codec, type), limits, stamps)
                : new ValueCoder<>(name, new VerifiedCodec<>(codec, type), limits, stamps);
    }
}
