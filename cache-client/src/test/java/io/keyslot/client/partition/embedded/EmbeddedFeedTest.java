// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.FeedContract;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.slot.PartitionId;

/** The feeds of a partition in this process. */
class EmbeddedFeedTest extends FeedContract {
    private final ManualTicker ticker = new ManualTicker();
    private final EmbeddedPartition partition = new EmbeddedPartition(new PartitionId("p1"), 1 << 26, ticker);
    private final PartitionConnection connection =
            partition.connector().connect().join();

    @Override
    protected PartitionConnection connection() {
        return connection;
    }

    @Override
    protected void passLease() {
        ticker.advance(FeedCommand.LEASE.plusMillis(1));
    }
}
