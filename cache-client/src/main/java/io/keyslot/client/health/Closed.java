// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.PartitionConnection;
import org.jspecify.annotations.Nullable;

/** The final state: this process has closed the partition. */
record Closed(int epoch, long since) implements Health {
    @Override
    public PartitionState state() {
        return PartitionState.MISSING;
    }

    @Override
    public @Nullable PartitionConnection connection() {
        return null;
    }

    @Override
    public String problem() {
        return "closed";
    }

    @Override
    public Health onClose(long now) {
        return this;
    }
}
