// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import java.util.AbstractList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Decodes stored bytes, and has the connection checked if they belong to another key. */
record EntryReader(CommandWriter writer, int epoch) {
    public Lookup read(EncodedKey key, byte @Nullable [] stored) {
        Lookup lookup = stored == null ? Lookup.absent() : key.form().read(key, epoch, stored, false);
        examine(lookup.outcome());
        return lookup;
    }

    /** Returns the results of {@code MGET}, in the order of the keys. */
    List<Lookup> readAll(List<EncodedKey> keys, List<byte[]> values) {
        return new FoundEntries(this::read, keys, values);
    }

    /** Returns whether a value with this head and length is an entry of the key, which has an envelope. */
    boolean isEntry(EncodedKey key, byte[] head, int length) {
        Lookup.Outcome outcome = Envelope.outcomeOf(key, epoch, head, length);
        examine(outcome);
        return outcome == Lookup.Outcome.FOUND;
    }

    private void examine(Lookup.Outcome outcome) {
        if (outcome == Lookup.Outcome.OTHER_KEY) {
            writer.proveInStep();
        }
    }

    /** Values that are decoded when they are read. Immutable. */
    static final class FoundEntries extends AbstractList<Lookup> {
        private final BiFunction<EncodedKey, byte @Nullable [], Lookup> reader;
        private final List<EncodedKey> keys;
        private final List<byte[]> values;

        FoundEntries(
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
}
