// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.GroupLimits;
import io.keyslot.client.config.GroupLimits.OnExcess;

/** Reads {@code groups}. Has the bounds of {@link GroupLimits}, to report problems with their location. */
final class GroupsReader {
    private static final ValueType<Integer> ENTRIES = ValueType.number(1, 999_999_999);
    private static final ValueType<Long> BYTES = Sizes.between(1, 1L << 40);
    private static final ValueType<OnExcess> ON_EXCESS = ValueType.oneOf(OnExcess.class);
    private static final ValueType<Integer> OPERATIONS = ValueType.number(1, 10_000);
    private static final ValueType<Long> TRANSACTION_BYTES = Sizes.between(1, 512L << 20);

    private GroupsReader() {}

    static GroupLimits read(Section section, GroupLimits otherwise) {
        return new GroupLimits(
                section.read("entries", ENTRIES).map(Integer::longValue).orElse(otherwise.entries()),
                section.read("bytes", BYTES).orElse(otherwise.bytes()),
                section.read("onExcess", ON_EXCESS).orElse(otherwise.onExcess()),
                section.read("transactionOperations", OPERATIONS).orElse(otherwise.transactionOperations()),
                section.read("transactionBytes", TRANSACTION_BYTES)
                        .map(Math::toIntExact)
                        .orElse(otherwise.transactionBytes()));
    }
}
