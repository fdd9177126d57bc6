// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.nodes;

import io.keyslot.client.partition.redis.cluster.KnownNode;
import io.keyslot.client.partition.redis.cluster.NodeReport;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A node as it was seen a moment ago. Primaries are asked themselves, replicas are what the others say.
 *
 * @param name the beginning of its id, which is what the partition is called
 * @param address where it is reached; empty if nobody knows
 * @param known as the node that was asked first knows it
 * @param owned how many slots are its own
 * @param took how long it took to answer
 * @param report what it said; null if it was not asked, or did not answer
 * @param problem why it did not answer; empty if it did, or was not asked
 */
public record SeenNode(
        String name,
        String address,
        KnownNode known,
        int owned,
        Duration took,
        @Nullable NodeReport report,
        String problem) {
    /** Returns whether clients send it commands. */
    public boolean isPrimary() {
        return known.isPrimary();
    }

    public boolean answers() {
        return report != null;
    }
}
