// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import org.jspecify.annotations.Nullable;

/**
 * The partition is not asked. The next probe comes when its time has come.
 *
 * @param problem why
 * @param failure why the last probe failed, null if there was none yet
 * @param attempts how many connects in a row failed, or were silent soon
 * @param epoch the epoch of the last life, 0 if there was none
 * @param since when it became missing; failed probes do not change it
 */
record Missing(String problem, @Nullable ConnectFailure failure, int attempts, int epoch, long since)
        implements Health {
    /** Returns the state before the first attempt to connect. */
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

    /** Returns whether it waits for a newer slot map. */
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
