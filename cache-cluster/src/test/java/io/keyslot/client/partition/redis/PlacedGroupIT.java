// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.AllSlots;
import io.keyslot.client.partition.FencedConnector;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.it.SideBySide;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The same while all keys are placed and their slots on their way: each is in a slot that is not its hash slot. */
@Tag("thorough")
@SideBySide
class PlacedGroupIT extends RedisGroupContractIT {
    @BeforeAll
    static void fence() {
        fencePlaced(State.MOVING);
    }

    @Override
    protected PartitionConnector connector() {
        return new FencedConnector(super.connector(), AllSlots.PLACED);
    }

    @Override
    protected PartitionConnector separateConnector() {
        return new FencedConnector(super.separateConnector(), AllSlots.PLACED);
    }

    @Override
    protected PartitionConnection connection() {
        return new FencedConnector.Fenced(super.connection(), AllSlots.PLACED);
    }
}
