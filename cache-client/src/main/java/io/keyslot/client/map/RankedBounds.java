// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where ranges begin and end, from the lowest to the highest. Immutable.
 *
 * <p>The first eight bytes of all begins are beside each other, and those of all ends, so that a search compares numbers, and looks
 * at a rank itself only where they are equal.
 */
final class RankedBounds {
    /** The number of a range that there is not. */
    public static final int NONE = -1;

    private final @Nullable Rank[] lows; // null: no first one
    private final @Nullable Rank[] highs;
    private final long[] begins; // in the order of signed numbers
    private final long[] ends;

    /**
     * Creates bounds of ranges that have nothing in common.
     *
     * @param lows where each begins; null for no first id, which the first range may have
     * @param highs where each ends; null for no last id, which the last range may have
     */
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

    /** Returns the number of the range that an id of a type is in, {@link #NONE} if it is in none. */
    public int find(RangeType type, IdText id) {
        long number = type.number(id);
        if (number != RangeType.NO_NUMBER) {
            return find(number, null);
        }
        Rank rank = type.order(id);
        return rank == null ? NONE : find(rank);
    }

    /** Returns the number of the range that a rank is in, {@link #NONE} if it is in none. */
    public int find(Rank rank) {
        return find(rank.first(), rank);
    }

    /** @param rank that begins with these eight bytes; null for that of a number, which is made if it is needed: seldom */
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

    /** Returns the last range that does not begin behind a rank. */
    private int lastThatBegins(long first, @Nullable Rank rank) {
        int last = lastUpTo(first);
        if (last == NONE || begins[last] < first || !isBehind(last, rank(first, rank))) {
            return last;
        }
        Rank wanted = rank(first, rank);
        int low = 0;
        int high = last; // which begins behind it, with the same eight bytes
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

    /** Returns the last range that begins with no more than these eight bytes. No branch depends on what is compared. */
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

    /** Returns whether there is a first range, and it has no first id. */
    public boolean isOpenBelow() {
        return lows.length > 0 && lows[0] == null;
    }

    /** Returns all bounds that there are. */
    public Stream<Rank> all() {
        return Stream.concat(Arrays.stream(lows), Arrays.stream(highs)).filter(Objects::nonNull);
    }
}
