// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one writer has written under one key, each write with a number of its own, and whether what others read there is
 * possible: never older than what was acknowledged when they began to read, never something that was not written.
 */
final class WrittenKey {
    private final String key;
    private final TreeMap<Long, Boolean> removals = new TreeMap<>(); // number of a write → whether it removes
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

    /** From now on there may be nothing: a partition has lost its memory. */
    void lose() {
        mayBeLost = true;
    }

    /** Returns what a read that begins now must find at least. */
    long floor() {
        return acknowledged;
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
