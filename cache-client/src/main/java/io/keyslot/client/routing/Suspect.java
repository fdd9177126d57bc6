// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.PartitionConnection;

/**
 * The last commands got no answer; the next ones decide.
 *
 * @param before the state to which an answer leads back
 * @param silences how many commands in a row got no answer
 */
record Suspect(Healthy before, int silences) implements Health {
    /** After so many the partition is missing. */
    static final int MOST_SILENCES = 3;

    @Override
    public PartitionState state() {
        return PartitionState.SUSPECT;
    }

    @Override
    public PartitionConnection connection() {
        return before.connection();
    }

    @Override
    public int epoch() {
        return before.epoch();
    }

    @Override
    public String problem() {
        return silences == 1
                ? "a command got no answer in time"
                : silences + " commands in a row got no answer in time";
    }

    @Override
    public Health onAnswer(PartitionConnection from) {
        return from.equals(connection()) ? before : this;
    }

    @Override
    public Health onSilence(PartitionConnection from, long now) {
        if (!from.equals(connection())) {
            return this;
        }
        Suspect next = new Suspect(before, silences + 1);
        return next.silences < MOST_SILENCES ? next : before.missing(next.problem(), now);
    }

    @Override
    public Health onLost(PartitionConnection which, String why, long now) {
        return which.equals(connection()) ? before.onLost(which, why, now) : this;
    }
}
