// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The recent state of a partition, and the response time. Memory and clients are null if unknown, as {@code problem}
 * says.
 */
public record SeenPartition(
        MappedPartition partition,
        int slots,
        Duration took,
        @Nullable MemoryUse memory,
        @Nullable Clients clients,
        String problem) {
    /** The number of connected processes of applications, and of those that may still route by an older map. */
    public record Clients(int all, int behind) {}

    public boolean answers() {
        return memory != null;
    }
}
