// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.PartitionConnection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The partition answers.
 *
 * @param attempts how many connects in a row had failed before this one, or 1 if the one before was brief
 * @param since when it was connected
 */
record Healthy(PartitionConnection connection, int attempts, long since) implements Health {
    /** A connection that lasts so long ends an outage: what was before is forgotten. */
    static final Duration LASTING = Duration.ofSeconds(2);

    /**
     * The shortest time between connects, from the second one in a row on. A server that accepts is used, however often its connections are cut;
     * one that hangs up at once is not connected to in a loop.
     */
    static final Duration BRIEF = Duration.ofMillis(20);

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
        Missing otherwise = new Missing("the connection was lost: " + why, null, isBrief ? 1 : 0, epoch(), now);
        return Probing.awaited(otherwise, isBrief && attempts > 0 ? BRIEF.toNanos() - (now - since) : 0);
    }

    @Override
    public Health onOverflow(long now) {
        return missing("more than " + PendingDeletes.MOST_KEYS + " deletions were not confirmed", now);
    }

    Missing missing(String why, long now) {
        int soFar = now - since >= LASTING.toNanos() ? 0 : attempts + 1;
        return new Missing(why, null, soFar, epoch(), now);
    }
}
