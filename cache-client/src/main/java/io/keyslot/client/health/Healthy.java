// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.PartitionConnection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The partition answers.
 *
 * @param attempts how many connects in a row had failed, or had not lasted, before this one
 * @param since when it was connected
 */
record Healthy(PartitionConnection connection, int attempts, long since) implements Health {
    /** A connection that lasts so long ends an outage: what was before is forgotten. */
    static final Duration LASTING = Duration.ofSeconds(2);

    /**
     * A connection that is lost sooner counts as a failed attempt to connect. Otherwise a server that accepts and then
     * hangs up would be connected to in a loop without a pause.
     */
    static final Duration BRIEF = Duration.ofMillis(100);

    /**
     * After so many of these in a row, calls do not wait for the next attempt, which comes after a pause. So there are at
     * most ten attempts in a second without a pause, and a few more.
     */
    static final int MOST_BRIEF = 3;

    @Override
    public PartitionState state() {
        return PartitionState.HEALTHY;
    }

    @Override
    public int epoch() {
        return connection.epoch();
    }

    @Override
    public @Nullable String problem() {
        return null;
    }

    @Override
    public Health onSilence(PartitionConnection from, long now) {
        return from.equals(connection) ? new Suspect(this, 1, now) : this;
    }

    @Override
    public Health onLost(PartitionConnection which, String why, long now) {
        if (!which.equals(connection)) {
            return this;
        }
        boolean isBrief = now - since < BRIEF.toNanos();
        int soFar = isBrief ? attempts + 1 : 0;
        Missing otherwise = new Missing("the connection was lost: " + why, null, soFar, epoch(), now);
        return soFar > MOST_BRIEF ? otherwise : Probing.awaited(otherwise);
    }

    @Override
    public Health onOverflow(long now) {
        return missing("more than " + Journal.MOST_KEYS + " deletions were not confirmed", now);
    }

    Missing missing(String why, long now) {
        int soFar = now - since >= LASTING.toNanos() ? 0 : attempts + 1;
        return new Missing(why, null, soFar, epoch(), now);
    }
}
