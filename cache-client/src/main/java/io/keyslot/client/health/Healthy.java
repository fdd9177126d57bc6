// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.PartitionConnection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The partition answers. {@code attempts} is the number of connects that had failed in a row before this one, or 1 if
 * the previous connection was brief.
 */
record Healthy(PartitionConnection connection, int attempts, long since) implements Health {
    /** A connection that lasts this long ends an outage and resets the count of attempts. */
    static final Duration LASTING = Duration.ofSeconds(2);

    /**
     * The minimum time between connects, from the second one in a row. A server that accepts is used even if its
     * connections are often cut, but one that hangs up at once does not cause a loop.
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
