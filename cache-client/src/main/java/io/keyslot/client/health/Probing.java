// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import org.jspecify.annotations.Nullable;

/**
 * A connect to the unavailable partition is in progress. {@code before} is the state that a failure leads back to;
 * calls wait for {@code awaited} attempts, including this one.
 */
record Probing(Missing before, int awaited, long pauseNanos) implements Health {
    /** More than one, for a connection that is lost again during the handshake. */
    static final int MOST_AWAITED = 3;

    Probing(Missing before) {
        this(before, 0);
    }

    Probing(Missing before, int awaited) {
        this(before, awaited, 0);
    }

    static Probing awaited(Missing otherwise, long pauseNanos) {
        return new Probing(otherwise, MOST_AWAITED, pauseNanos);
    }

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
        return new Replaying(before, connection, upTo, awaited);
    }

    @Override
    public Health onConnectFailure(ConnectFailure failure) {
        return after(before, awaited, failure);
    }

    static Health after(Missing before, int awaited, ConnectFailure failure) {
        return awaited > 1 && failure.kind() == ConnectFailure.Kind.UNREACHABLE
                ? new Probing(before, awaited - 1)
                : before.after(failure);
    }

    @Override
    public Health onImpatience(long since) {
        return isAwaited() && since == before.since() ? new Probing(before) : this;
    }
}
