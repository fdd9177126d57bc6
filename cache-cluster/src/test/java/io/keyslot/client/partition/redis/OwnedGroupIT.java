// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.FencedConnector;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.it.SideBySide;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The same while all slots are on their way, at the partition that got them. */
@Tag("thorough")
@SideBySide
class OwnedGroupIT extends RedisGroupContractIT {
    @BeforeAll
    static void fence() {
        fenceBoth(State.OWNED);
    }

    @Override
    protected PartitionConnector connector() {
        return new FencedConnector(super.connector());
    }

    @Override
    protected PartitionConnector separateConnector() {
        return new FencedConnector(super.separateConnector());
    }

    @Override
    protected PartitionConnection connection() {
        return new FencedConnector.Fenced(super.connection());
    }
}
