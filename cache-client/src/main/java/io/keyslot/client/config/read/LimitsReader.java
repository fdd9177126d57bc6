// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.cache.EntryLimits;
import java.util.Optional;

/** Reads {@code limits}. Has the bounds of {@link EntryLimits}, to report problems with their location. */
final class LimitsReader {
    private static final String KEY_BYTES = "keyBytes";
    private static final String VALUE_BYTES = "valueBytes";
    private static final String BATCH_KEYS = "batchKeys";

    private static final ValueType<Long> KEY_SIZE = Sizes.between(16, 8L << 10);
    private static final ValueType<Long> VALUE_SIZE = Sizes.between(64, 512L << 20);
    private static final ValueType<Integer> KEYS = ValueType.number(1, 1_000_000);

    private LimitsReader() {}

    static EntryLimits read(Section section, EntryLimits otherwise) {
        return new EntryLimits(
                section.read(KEY_BYTES, KEY_SIZE).map(Math::toIntExact).orElse(otherwise.keyBytes()),
                section.read(VALUE_BYTES, VALUE_SIZE).map(Math::toIntExact).orElse(otherwise.valueBytes()),
                section.read(BATCH_KEYS, KEYS).orElse(otherwise.batchKeys()));
    }

    static Optional<EntryLimits> overridden(Section section, EntryLimits otherwise) {
        return section.isEmpty() ? Optional.empty() : Optional.of(read(section, otherwise));
    }
}
