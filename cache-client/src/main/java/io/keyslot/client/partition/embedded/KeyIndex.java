// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The keys of a partition in ranges of their hash, so that a scan can continue where it stopped. Thread-safe.
 *
 * <p>Unlike an iterator of a hash table, a range is a position that stays the same while keys come and go, and an
 * abandoned scan leaves no state. A key that exists during a whole scan is found in its range.
 */
final class KeyIndex {
    /** A page has at least one range, so this bounds the size of a page for a partition of a given size. */
    private static final int RANGES = 1024;

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

    /**
     * Returns a page of wanted keys: whole ranges, until {@code count} keys were inspected. A cursor is the number of the
     * next range.
     */
    Reply<ScanPage> page(String cursor, int count, Predicate<EncodedKey> wanted) {
        int range = firstRange(cursor);
        if (range < 0) {
            return Reply.refused(Refusal.FORBIDDEN, "a scan was continued with a cursor that no page had given");
        }
        List<EncodedKey> listed = new ArrayList<>();
        int inspected = 0;
        do {
            for (EncodedKey key : ranges.get(range)) {
                inspected++;
                if (wanted.test(key)) {
                    listed.add(key);
                }
            }
            range++;
        } while (range < RANGES && inspected < count);
        return Reply.done(
                new ScanPage(List.copyOf(listed), range == RANGES ? ScanPage.START : Integer.toString(range)));
    }

    /** Returns the number of a range; -1 if the cursor is not of a page. */
    private static int firstRange(String cursor) {
        try {
            int range = Integer.parseInt(cursor);
            return range < RANGES ? range : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private Set<EncodedKey> rangeOf(EncodedKey key) {
        return ranges.get((key.hashCode() * SPREAD) >>> RANGE_SHIFT);
    }
}
