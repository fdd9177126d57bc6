// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one writer has written under one key, each write with a number of its own, and whether what others read there is
 * possible: never older than what was acknowledged when they began to read, never something that was not written.
 */
final class WrittenKey {
    private final String key;
    private final TreeMap<Long, Boolean> removals = new TreeMap<>(); // number of a write → whether it removes
    private final TreeMap<Long, Long> acknowledgedAt = new TreeMap<>(); // when → the newest number then
    private final Map<Integer, Long> known =
            new HashMap<>(); // process → the newest number that it has found or written
    private long begun;
    private long acknowledged;
    private boolean mayBeLost;

    WrittenKey(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    /** A write begins; returns its number. */
    long begin(boolean removes) {
        begun++;
        removals.put(begun, removes);
        return begun;
    }

    void acknowledge(long number) {
        acknowledged = Math.max(acknowledged, number);
    }

    /** A write of this process was acknowledged. */
    void acknowledge(long number, int process, Duration at) {
        acknowledge(number);
        acknowledgedAt.put(at.toNanos(), acknowledged);
        known.merge(process, number, Math::max);
    }

    /** From now on there may be nothing: a partition has lost its memory. */
    void lose() {
        mayBeLost = true;
    }

    /** Returns what a read that begins now must find at least. */
    long floor() {
        return acknowledged;
    }

    /** Returns what a read of a process must find at least that may be answered by what was true then. */
    long floor(int process, Duration asOf) {
        Map.Entry<Long, Long> then = acknowledgedAt.floorEntry(asOf.toNanos());
        return Math.max(then == null ? 0 : then.getValue(), known.getOrDefault(process, 0L));
    }

    /** A process that began at this floor has found a value, or nothing. */
    void found(int process, long floor, @Nullable Long value) {
        found(floor, value);
        if (value != null) {
            known.merge(process, value, Math::max);
        }
    }

    /** Somebody who began at this floor has found a value, or nothing. */
    void found(long floor, @Nullable Long value) {
        boolean isPossible = value == null
                ? floor == 0 || mayBeLost || removals.tailMap(floor, true).containsValue(true)
                : value >= floor && value <= begun && !removals.getOrDefault(value, true);
        if (!isPossible) {
            throw new AssertionError("%s: a read found %s, and number %d was acknowledged before it; begun are %d%s"
                    .formatted(key, value, floor, begun, mayBeLost ? ", some may be lost" : ""));
        }
    }
}
