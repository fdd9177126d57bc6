// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import org.jspecify.annotations.Nullable;

/**
 * The partition is not asked, but one attempt to connect is under way.
 *
 * @param before what is known until the attempt has an outcome
 * @param awaited for how many attempts calls wait, this one included; 0 if they do not
 * @param pauseNanos how long the attempt waits before it begins
 */
record Probing(Missing before, int awaited, long pauseNanos) implements Health {
    /** The others are for a connection that was lost again while it was made. */
    static final int MOST_AWAITED = 3;

    /** Creates an attempt for which nobody waits. */
    Probing(Missing before) {
        this(before, 0);
    }

    /** Creates an attempt that begins at once. */
    Probing(Missing before, int awaited) {
        this(before, awaited, 0);
    }

    /** Returns the first attempt after a connection was lost that had been in use. */
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

    /** Returns what follows from a failure: another attempt for which calls go on waiting, or none. */
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
