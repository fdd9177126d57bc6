// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import org.jspecify.annotations.Nullable;

/**
 * The partition is not asked, but one attempt to connect is under way.
 *
 * @param before what is known until the attempt has an outcome
 */
record Probing(Missing before) implements Health {
    @Override
    public PartitionState state() {
        return PartitionState.PROBING;
    }

    @Override
    public @Nullable PartitionConnection connection() {
        return null;
    }

    @Override
    public long since() {
        return before.since();
    }

    @Override
    public int epoch() {
        return before.epoch();
    }

    @Override
    public String problem() {
        return before.problem();
    }

    @Override
    public Health onConnected(PartitionConnection connection, long upTo) {
        return new Replaying(before, connection, upTo);
    }

    @Override
    public Health onConnectFailure(ConnectFailure failure) {
        return before.after(failure);
    }
}
