// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.stored.EncodedKey;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The keys of a partition in ranges of their hash, so that a scan can go on where it stopped.
 *
 * <p>A range is a position that stays the same while keys come and go, which an iterator of a hash table is not; and a
 * scan that nobody continues leaves nothing behind. A key that is there during a whole scan is in its range when the scan
 * gets there. Safe for use by several threads.
 */
final class KeyIndex {
    /** The number of ranges: a page has at least one of them, so this bounds what a partition of a given size answers. */
    public static final int RANGES = 1024;

    private static final int RANGE_SHIFT = Integer.SIZE - Integer.numberOfTrailingZeros(RANGES);

    // The golden ratio, as in Fibonacci hashing: the upper bits depend on all bits of the hash.
    private static final int SPREAD = 0x9e3779b9;

    private final List<Set<EncodedKey>> ranges = Stream.<Set<EncodedKey>>generate(ConcurrentHashMap::newKeySet)
            .limit(RANGES)
            .toList();

    void add(EncodedKey key) {
        rangeOf(key).add(key);
    }

    void remove(EncodedKey key) {
        rangeOf(key).remove(key);
    }

    /** Returns the keys of a range, from 0 to {@link #RANGES} - 1; iterating is safe while they change. */
    public Collection<EncodedKey> range(int number) {
        return Collections.unmodifiableSet(ranges.get(number));
    }

    private Set<EncodedKey> rangeOf(EncodedKey key) {
        return ranges.get((key.hashCode() * SPREAD) >>> RANGE_SHIFT);
    }
}
