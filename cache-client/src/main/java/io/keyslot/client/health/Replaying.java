// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import org.jspecify.annotations.Nullable;

/**
 * The partition is connected, but first the pending deletes must be done. {@code upTo} is the last one added before the
 * connect. Later ones are sent at once over the same connection, and so before any command of the healthy partition;
 * waiting for them too might never end while many calls fail. {@code awaited} is as in {@link Probing}.
 */
record Replaying(Missing before, PartitionConnection held, long upTo, int awaited) implements Health {
    @Override
    public PartitionState state() {
        return isAwaited() ? PartitionState.SUSPECT : PartitionState.PROBING;
    }

    @Override
    public boolean isAwaited() {
        return awaited > 0;
    }

    @Override
    public @Nullable PartitionConnection connection() {
        return null;
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
    public long since() {
        return before.since();
    }

    @Override
    public Health onReplayed(PartitionConnection over, long now) {
        return over.equals(held) ? new Healthy(held, before.attempts(), now) : this;
    }

    @Override
    public Health onNewEpoch(PartitionConnection over) {
        return over.equals(held) ? new Probing(before, awaited) : this;
    }

    @Override
    public Health onReplayFailure(PartitionConnection over, ConnectFailure failure) {
        return over.equals(held) ? before.after(failure) : this;
    }

    @Override
    public Health onLost(PartitionConnection which, String why, long now) {
        ConnectFailure failure =
                new ConnectFailure(ConnectFailure.Kind.UNREACHABLE, "the connection was lost: " + why, null);
        return which.equals(held) ? Probing.after(before, awaited, failure) : this;
    }

    @Override
    public Health onImpatience(long since) {
        return isAwaited() && since == before.since() ? new Replaying(before, held, upTo, 0) : this;
    }
}
