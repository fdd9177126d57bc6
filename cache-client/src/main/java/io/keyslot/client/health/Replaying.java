// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import org.jspecify.annotations.Nullable;

/**
 * The partition is connected, and not asked before what its journal holds was deleted.
 *
 * @param before what is known until then
 * @param held the new connection
 * @param upTo the last addition to the journal before it was connected. What is added later is sent at once over the
 *     same connection, and so before anything that is sent when the partition is healthy: there is no need to wait for
 *     it, and no end to the waiting otherwise, while many calls fail.
 * @param awaited as of {@link Probing}
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
