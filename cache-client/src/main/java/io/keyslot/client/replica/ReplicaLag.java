// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.client.partition.ReplicaCommand;
import java.util.OptionalLong;

/**
 * The earliest times at which the heartbeats of one partition can have been written, by this process's clock. No other
 * clock is used: the primary's answer is newer than the request, and a heartbeat that did not exist then was written
 * later.
 *
 * <p>So a replica with a heartbeat has everything that was acknowledged before that time. Times are known only for
 * heartbeats of the present incarnation, requested by the present slot map, because the partition owned its slots then.
 * Thread-safe.
 */
final class ReplicaLag {
    /** More than a minute at the fastest pace; older heartbeats are unknown. */
    private static final int MOST = 4096;

    // Guarded by this. A ring buffer: heartbeats with at least this number were written after that time.
    private final long[] numbers = new long[MOST];
    private final long[] times = new long[MOST];
    private int first;
    private int count;
    private String incarnation = "";
    private int epoch;
    private long mapVersion;

    /**
     * Records an answer of the primary to a request sent after {@code askedNanos}, by a slot map of version
     * {@code askedBy}.
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
            times[at(count - 1)] = askedNanos; // even the later request did not find it
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
     * Returns the time after which a heartbeat was written; empty if unknown, or if it does not belong to the present
     * incarnation, the epoch of the read entries or the map version of the read.
     */
    synchronized OptionalLong notBefore(ReplicaCommand.Heartbeat heartbeat, int readBy, long now) {
        if (!heartbeat.incarnation().equals(incarnation) || readBy != epoch || now != mapVersion) {
            return OptionalLong.empty();
        }
        int low = 0;
        int high = count; // the first larger one
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

    synchronized boolean isOfOther(ReplicaCommand.Heartbeat heartbeat, int readBy) {
        return count > 0 && (!heartbeat.incarnation().equals(incarnation) || readBy != epoch);
    }

    private int at(int index) {
        return (first + index) % MOST;
    }
}
