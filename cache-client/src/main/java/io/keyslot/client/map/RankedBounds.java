// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of ranges in ascending order. Immutable. The first eight bytes of all bounds are in arrays, so that a
 * search compares numbers, and reads a rank only if they are equal.
 */
final class RankedBounds {
    public static final int NONE = -1;

    private final @Nullable Rank[] lows; // null: no lower bound
    private final @Nullable Rank[] highs;
    private final long[] begins; // in signed order
    private final long[] ends;

    /** Creates bounds of disjoint ranges; the lower bound of the first and the upper bound of the last may be null. */
    public RankedBounds(List<@Nullable Rank> lows, List<@Nullable Rank> highs) {
        this.lows = lows.toArray(Rank[]::new);
        this.highs = highs.toArray(Rank[]::new);
        this.begins = lows.stream()
                .mapToLong(low -> low == null ? Long.MIN_VALUE : low.first())
                .toArray();
        this.ends = highs.stream()
                .mapToLong(high -> high == null ? Long.MAX_VALUE : high.first())
                .toArray();
    }

    public int find(RangeType type, IdText id) {
        long number = type.number(id);
        if (number != RangeType.NO_NUMBER) {
            return find(number, null);
        }
        Rank rank = type.order(id);
        return rank == null ? NONE : find(rank);
    }

    public int find(Rank rank) {
        return find(rank.first(), rank);
    }

    /**
     * @param rank a rank with these first eight bytes; null for that of a number, which is rarely needed and created on
     *     demand
     */
    private int find(long first, @Nullable Rank rank) {
        int found = lastThatBegins(first, rank);
        if (found == NONE) {
            return NONE;
        }
        boolean isInside = first < ends[found] || (first == ends[found] && isBefore(first, rank, highs[found]));
        return isInside ? found : NONE;
    }

    private static boolean isBefore(long first, @Nullable Rank rank, @Nullable Rank high) {
        return high == null || rank(first, rank).compareTo(high) < 0;
    }

    private static Rank rank(long first, @Nullable Rank rank) {
        return rank == null ? Rank.signed(first, 0) : rank;
    }

    /** Returns the last range that begins at or before a rank. */
    private int lastThatBegins(long first, @Nullable Rank rank) {
        int last = lastUpTo(first);
        if (last == NONE || begins[last] < first || !isBehind(last, rank(first, rank))) {
            return last;
        }
        Rank wanted = rank(first, rank);
        int low = 0;
        int high = last; // begins after it, with the same eight bytes
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isBehind(middle, wanted)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low - 1;
    }

    /** Returns the last range whose first eight bytes are at most these. A branch-free binary search. */
    private int lastUpTo(long first) {
        int begin = 0;
        int length = begins.length;
        while (length > 1) {
            int half = length >>> 1;
            begin += begins[begin + half] <= first ? half : 0;
            length -= half;
        }
        return length == 1 && begins[begin] <= first ? begin : NONE;
    }

    private boolean isBehind(int range, Rank rank) {
        Rank low = lows[range];
        return low != null && low.compareTo(rank) > 0;
    }

    public boolean isOpenBelow() {
        return lows.length > 0 && lows[0] == null;
    }

    public Stream<Rank> all() {
        return Stream.concat(Arrays.stream(lows), Arrays.stream(highs)).filter(Objects::nonNull);
    }
}
