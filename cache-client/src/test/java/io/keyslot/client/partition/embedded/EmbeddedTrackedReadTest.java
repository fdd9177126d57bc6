// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import com.github.benmanes.caffeine.cache.Ticker;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.TrackedReadContract;
import io.keyslot.slot.PartitionId;

/** What partitions in this process tell of tracked reads. */
class EmbeddedTrackedReadTest extends TrackedReadContract {
    private final EmbeddedPartition partition =
            new EmbeddedPartition(new PartitionId("p1"), 1 << 26, Ticker.systemTicker());

    @Override
    protected PartitionConnection connect() throws Exception {
        return partition.connector().connect().get();
    }
}
