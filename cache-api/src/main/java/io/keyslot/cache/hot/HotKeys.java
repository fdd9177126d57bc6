// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.hot;

import java.time.Duration;
import java.util.List;

/**
 * Which keys of a cache were read most by this process lately, however they were answered. Immutable.
 *
 * <p>What was read 30 seconds ago counts half, what was read a minute ago a quarter: a key that is not read any more is gone
 * after some minutes. So {@code reads} divided by {@code over} is the rate of the last minute or so.
 *
 * @param keys the most read first
 * @param reads about how many reads of all keys there were
 * @param over how long that took, counted down in the same way as the reads
 */
public record HotKeys<K>(List<HotKey<K>> keys, long reads, Duration over) {
    public HotKeys {
        keys = List.copyOf(keys);
        if (reads < 0 || over.isNegative()) {
            throw new IllegalArgumentException("Reads and their time are never negative");
        }
    }

    /** Returns which part of all reads a key has, from 0 to 1. */
    public double share(HotKey<K> key) {
        return reads == 0 ? 0 : Math.min(1, (double) key.reads() / reads);
    }
}
