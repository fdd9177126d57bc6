// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.AbstractList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The results of {@code MGET}, in the order of the keys. Values are decoded when they are read. Immutable. */
final class FoundEntries extends AbstractList<Lookup> {
    private final BiFunction<EncodedKey, byte @Nullable [], Lookup> reader;
    private final List<EncodedKey> keys;
    private final List<byte[]> values;

    public FoundEntries(
            BiFunction<EncodedKey, byte @Nullable [], Lookup> reader, List<EncodedKey> keys, List<byte[]> values) {
        if (values.size() != keys.size()) {
            throw new IllegalStateException("%d values for %d keys".formatted(values.size(), keys.size()));
        }
        this.reader = reader;
        this.keys = keys;
        this.values = values;
    }

    @Override
    public Lookup get(int index) {
        return reader.apply(keys.get(index), values.get(index));
    }

    @Override
    public int size() {
        return values.size();
    }
}
