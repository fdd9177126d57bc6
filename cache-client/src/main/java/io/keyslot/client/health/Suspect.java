// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.PartitionConnection;
import java.time.Duration;

/** The last commands got no answer; the next ones decide. An answer leads back to {@code before}. */
record Suspect(Healthy before, int silences, long countedAt) implements Health {
    static final int MOST_SILENCES = 3;

    /**
     * Commands in flight together time out together and count once. Otherwise a stall of a tenth of a second would cost
     * a busy process its connection, but not an idle one.
     */
    static final Duration SAME_SILENCE = Duration.ofMillis(50);

    @Override
    public PartitionState state() {
        return PartitionState.SUSPECT;
    }

    @Override
    public PartitionConnection connection() {
        return before.connection();
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
        return silences == 1
                ? "a command got no answer in time"
                : "commands got no answer in time, " + silences + " times in a row";
    }

    @Override
    public Health onAnswer(PartitionConnection from) {
        return from.equals(connection()) ? before : this;
    }

    @Override
    public Health onSilence(PartitionConnection from, long now) {
        if (!from.equals(connection()) || now - countedAt < SAME_SILENCE.toNanos()) {
            return this;
        }
        Suspect next = new Suspect(before, silences + 1, now);
        return next.silences < MOST_SILENCES ? next : before.missing(next.problem(), now);
    }

    @Override
    public Health onLost(PartitionConnection which, String why, long now) {
        return which.equals(connection()) ? before.onLost(which, why, now) : this;
    }

    @Override
    public Health onOverflow(long now) {
        return before.onOverflow(now);
    }
}
