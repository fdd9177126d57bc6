// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.survey;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A partition as it was seen a moment ago.
 *
 * @param partition as the map has it
 * @param slots how many it owns
 * @param took how long it took to answer
 * @param memory what it has; null if it has not answered
 * @param clients who is connected, null if it does not say
 * @param problem why something of it is not known, empty if all is
 */
public record SeenPartition(
        MappedPartition partition,
        int slots,
        Duration took,
        @Nullable MemoryUse memory,
        @Nullable Clients clients,
        String problem) {
    /**
     * Processes of applications that are connected.
     *
     * @param all how many processes
     * @param behind how many of them may still route by an older map
     */
    public record Clients(int all, int behind) {}

    public boolean answers() {
        return memory != null;
    }
}
