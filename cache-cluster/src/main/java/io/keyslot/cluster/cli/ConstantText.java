// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.map.MappedPartition;
import java.util.Locale;

/** Formats enum constants in lower case, and addresses. */
final class ConstantText {
    private ConstantText() {}

    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the constant as words, with blanks between them. */
    static String words(Enum<?> constant) {
        return of(constant).replace('_', ' ');
    }

    /** As above; a probe of a missing partition, which a command may meet, does not matter to an operator. */
    public static String of(PartitionState state) {
        return of((Enum<?>) (state == PartitionState.PROBING ? PartitionState.MISSING : state));
    }

    /** Returns where a partition is. */
    public static String address(MappedPartition partition) {
        return partition.address() == null ? "embedded" : partition.address().address();
    }
}
