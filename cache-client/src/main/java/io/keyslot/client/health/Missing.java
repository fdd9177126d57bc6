// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import org.jspecify.annotations.Nullable;

/**
 * The partition does not answer; probes follow at intervals. {@code failure} is that of the last probe;
 * {@code attempts} counts the connects in a row that failed or were lost at once; {@code epoch} is that of the last
 * incarnation, 0 if none; failed probes do not change {@code since}.
 */
record Missing(String problem, @Nullable ConnectFailure failure, int attempts, int epoch, long since)
        implements Health {
    static Missing neverConnected(long now) {
        return new Missing("not connected yet", null, 0, 0, now);
    }

    @Override
    public PartitionState state() {
        return PartitionState.MISSING;
    }

    @Override
    public @Nullable PartitionConnection connection() {
        return null;
    }

    @Override
    public Health onProbe() {
        return new Probing(this);
    }

    boolean isOutdated() {
        return failure != null && failure.kind() == ConnectFailure.Kind.OUTDATED;
    }

    boolean isRejected() {
        return failure != null && failure.kind() == ConnectFailure.Kind.REJECTED;
    }

    Missing after(ConnectFailure newFailure) {
        return new Missing(newFailure.reason(), newFailure, attempts + 1, epoch, since);
    }
}
