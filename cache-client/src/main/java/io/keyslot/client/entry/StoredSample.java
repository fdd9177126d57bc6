// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import java.time.Duration;

/** Reads stored entries of a cache for operators' tools. */
@FunctionalInterface
public interface StoredSample {
    /**
     * Has the codec of the cache decode at most so many entries, evenly from all partitions, within a time. Changes nothing,
     * neither entries that cannot be decoded nor expiry times.
     *
     * @return the number of entries
     * @throws io.keyslot.cache.failure.KeyslotException if a partition cannot be asked
     */
    int decode(int most, Duration atMost);
}
