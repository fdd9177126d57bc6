// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.PartitionConnection;
import org.jspecify.annotations.Nullable;

/**
 * This process has given the partition up. Nothing leads out of here.
 *
 * @param epoch the epoch of the last life, 0 if there was none
 * @param since when it was given up
 */
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
