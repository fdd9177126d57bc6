// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.client.partition.ReplicaCommand;
import java.util.OptionalLong;

/**
 * When the beats of one partition were written at the earliest, by the clock of this process. No clock of another machine is asked:
 * what a primary answers was so after the question was sent, and a beat that was not there then was written later.
 *
 * <p>So whoever has a beat has all that was acknowledged before that time. It is known of beats of the present life only, and of what
 * was asked by the present slot map: the partition owned its slots then. Safe for use by several threads.
 */
final class ReplicaLag {
    /** At the quickest pace, more than a minute; what is older is not known any more. */
    private static final int MOST = 4096;

    // Guarded by this. A ring: the beats with at least this number were written after that time.
    private final long[] numbers = new long[MOST];
    private final long[] times = new long[MOST];
    private int first;
    private int count;
    private String incarnation = "";
    private int epoch;
    private long mapVersion;

    /**
     * Notes what the primary has answered.
     *
     * @param askedNanos before it was asked
     * @param askedBy the version of the slot map by which it was asked
     */
    synchronized void kept(ReplicaCommand.Kept kept, long askedNanos, long askedBy) {
        ReplicaCommand.Heartbeat heartbeat = kept.heartbeat();
        long number = kept.isNew() ? heartbeat.number() : heartbeat.number() + 1;
        boolean goesOn = heartbeat.incarnation().equals(incarnation) && askedBy == mapVersion && kept.epoch() == epoch;
        if (!goesOn || (count > 0 && number < numbers[at(count - 1)])) {
            count = 0;
        }
        incarnation = heartbeat.incarnation();
        epoch = kept.epoch();
        mapVersion = askedBy;
        if (count > 0 && numbers[at(count - 1)] == number) {
            times[at(count - 1)] = askedNanos; // not even the later question has found it
            return;
        }
        if (count == MOST) {
            first = at(1);
            count--;
        }
        numbers[at(count)] = number;
        times[at(count)] = askedNanos;
        count++;
    }

    /**
     * Returns the time after which a beat was written; empty if that is not known, or if it is no beat of the present life.
     *
     * @param readBy the epoch of the entries that are read with it
     * @param now the version of the slot map by which it is read
     */
    synchronized OptionalLong notBefore(ReplicaCommand.Heartbeat heartbeat, int readBy, long now) {
        if (!heartbeat.incarnation().equals(incarnation) || readBy != epoch || now != mapVersion) {
            return OptionalLong.empty();
        }
        int low = 0;
        int high = count; // the first one that is larger
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (numbers[at(middle)] <= heartbeat.number()) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? OptionalLong.empty() : OptionalLong.of(times[at(low - 1)]);
    }

    /** Returns whether a beat, or the entries that are read with it, are surely of another life than the one that is known. */
    synchronized boolean isOfOther(ReplicaCommand.Heartbeat heartbeat, int readBy) {
        return count > 0 && (!heartbeat.incarnation().equals(incarnation) || readBy != epoch);
    }

    private int at(int index) {
        return (first + index) % MOST;
    }
}
