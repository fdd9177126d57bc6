// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.slot.PartitionId;

/** Takes away a partition of this process, as if its server were killed. */
final class EmbeddedOutage implements Outage {
    private final EmbeddedPartition partition;

    EmbeddedOutage(EmbeddedPartition partition) {
        this.partition = partition;
    }

    @Override
    public PartitionId partition() {
        return partition.id();
    }

    @Override
    public String means() {
        return "taking away the embedded partition";
    }

    @Override
    public void begin() {
        partition.kill();
    }

    @Override
    public void end() {
        partition.restart();
    }
}
