// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.client.partition.ReplicaCommand;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;

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

    // Guarded by this. Heartbeats with at least this number were written after that time.
    private final NavigableMap<Long, Long> times = new TreeMap<>();
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
        if (!goesOn || (!times.isEmpty() && number < times.lastKey())) {
            times.clear();
        }
        incarnation = heartbeat.incarnation();
        epoch = kept.epoch();
        mapVersion = askedBy;
        times.put(number, askedNanos); // also in place of an earlier time: even the later request did not find it
        if (times.size() > MOST) {
            times.pollFirstEntry();
        }
    }

    /**
     * Returns the time after which a heartbeat was written; empty if unknown, or if it does not belong to the present
     * incarnation, the epoch of the read entries or the map version of the read.
     */
    synchronized OptionalLong notBefore(ReplicaCommand.Heartbeat heartbeat, int readBy, long now) {
        if (!heartbeat.incarnation().equals(incarnation) || readBy != epoch || now != mapVersion) {
            return OptionalLong.empty();
        }
        Map.Entry<Long, Long> written = times.floorEntry(heartbeat.number());
        return written == null ? OptionalLong.empty() : OptionalLong.of(written.getValue());
    }

    synchronized boolean isOfOther(ReplicaCommand.Heartbeat heartbeat, int readBy) {
        return !times.isEmpty() && (!heartbeat.incarnation().equals(incarnation) || readBy != epoch);
    }
}
