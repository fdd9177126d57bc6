// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.PartitionConnection;
import java.time.Duration;

/**
 * The last commands got no answer; the next ones decide.
 *
 * @param before the state to which an answer leads back
 * @param silences how many times in a row commands got no answer
 * @param countedAt when the last of them was counted
 */
record Suspect(Healthy before, int silences, long countedAt) implements Health {
    /** After so many the partition is missing. */
    static final int MOST_SILENCES = 3;

    /**
     * Commands of several threads that are in flight together run out of time together: that is one silence. Otherwise a
     * stall of a tenth of a second would cost a busy process its connection, and an idle one nothing.
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
