// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.partition.redis.KnownNode;
import io.keyslot.client.partition.redis.NodeReport;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The recent state of a node. Primaries are asked; the state of replicas is what others report. The name is the
 * beginning of the id; the address may be empty; the report is null if it did not answer or was not asked.
 */
public record SeenNode(
        String name,
        String address,
        KnownNode known,
        int owned,
        Duration took,
        @Nullable NodeReport report,
        String problem) {
    public boolean answers() {
        return report != null;
    }
}
