// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import com.github.benmanes.caffeine.cache.Ticker;
import io.keyslot.client.partition.FenceContract;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

class EmbeddedFenceTest extends FenceContract {
    private final EmbeddedPartition partition =
            new EmbeddedPartition(new PartitionId("p1"), 64L * 1024 * 1024, Ticker.systemTicker());
    private final PartitionConnection connection =
            partition.connector().connect().join();

    @Override
    protected PartitionConnection connection() {
        return connection;
    }

    @Override
    protected void empty() {} // each test has a partition of its own

    @Override
    protected @Nullable Set<EncodedKey> written(int slot) {
        return fences().written(slot);
    }

    private EmbeddedFences fences() {
        return partition.incarnation().entries().fences();
    }
}
