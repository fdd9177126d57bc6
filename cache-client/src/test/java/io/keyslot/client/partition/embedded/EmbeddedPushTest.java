// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import com.github.benmanes.caffeine.cache.Ticker;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PushContract;
import io.keyslot.slot.PartitionId;

/** What partitions in this process tell without being asked. */
class EmbeddedPushTest extends PushContract {
    private final EmbeddedPartition partition =
            new EmbeddedPartition(new PartitionId("p1"), 1 << 24, Ticker.systemTicker());

    @Override
    protected PartitionConnection connect() throws Exception {
        return partition.connector().connect().get();
    }

    @Override
    protected void killConnections() {
        partition.kill();
    }
}
