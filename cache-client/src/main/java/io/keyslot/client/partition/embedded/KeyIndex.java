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
 * The keys of a partition in ranges of their hash, so that a scan can continue where it stopped. Thread-safe.
 *
 * <p>Unlike an iterator of a hash table, a range is a position that stays the same while keys come and go, and an
 * abandoned scan leaves no state. A key that exists during a whole scan is found in its range.
 */
final class KeyIndex {
    /** A page has at least one range, so this bounds the size of a page for a partition of a given size. */
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

    /** Returns the keys of a range, from 0 to {@link #RANGES} - 1. Iteration is safe during changes. */
    public Collection<EncodedKey> range(int number) {
        return Collections.unmodifiableSet(ranges.get(number));
    }

    private Set<EncodedKey> rangeOf(EncodedKey key) {
        return ranges.get((key.hashCode() * SPREAD) >>> RANGE_SHIFT);
    }
}
