// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.HashSlot;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How the keys of one entry of a placement are spread over its slots, by what their roots hash to. Immutable.
 *
 * <ul>
 *   <li>Over 1, 2, 4 or 8 slots by the low bits of the hash: doubling leaves half of the keys in their slot.
 *   <li>By shares: a slot for each of some sets of hash slots. So what was hashed gets slots of its own, one for each owner that its
 *       keys have, and none of them changes its owner by that.
 * </ul>
 */
public final class Spread {
    /** The most slots by the bits of the hash. */
    public static final int LARGEST_WIDTH = 8;

    private static final SlotSet HASHED = SlotSet.of(new SlotRange(0, HashSlot.COUNT - 1));

    /** Those of 1, 2, 4 and 8 slots, of which a map may have thousands: each look-up finds the same few objects. */
    private static final List<Spread> BY_BITS =
            Stream.of(1, 2, 4, LARGEST_WIDTH).map(Spread::new).toList();

    private final List<SlotSet> shares; // empty for one by bits
    private final int count;
    private final int[] begins; // where runs of hash slots of one share begin, for one by shares
    private final int[] shareOf; // whose run it is

    private Spread(int width) {
        this(List.of(), width);
    }

    private Spread(List<SlotSet> shares, int count) {
        this.shares = shares;
        this.count = count;
        SortedMap<Integer, Integer> runs = new TreeMap<>();
        for (int share = 0; share < shares.size(); share++) {
            for (SlotRange run : shares.get(share).ranges()) {
                runs.put(run.first(), share);
            }
        }
        this.begins = runs.keySet().stream().mapToInt(Integer::intValue).toArray();
        this.shareOf = runs.values().stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Returns a spread over 1, 2, 4 or 8 slots.
     *
     * @throws IllegalArgumentException for any other number
     */
    public static Spread over(int width) {
        if (width < 1 || width > LARGEST_WIDTH || Integer.bitCount(width) != 1) {
            throw new IllegalArgumentException("The width of a placement is %d: must be 1, 2, 4 or 8".formatted(width));
        }
        return BY_BITS.get(Integer.numberOfTrailingZeros(width));
    }

    /**
     * Returns a spread by shares of the hash slots.
     *
     * @throws IllegalArgumentException unless each hash slot is in one of them, and none is empty
     */
    public static Spread byShares(List<SlotSet> shares) {
        if (shares.isEmpty()
                || shares.size() > MapRules.MOST_PARTITIONS
                || shares.stream().anyMatch(SlotSet::isEmpty)) {
            throw new IllegalArgumentException(
                    "A placement has from 1 to %d shares of the hash slots, and none is empty"
                            .formatted(MapRules.MOST_PARTITIONS));
        }
        SlotSet all = shares.stream().reduce(SlotSet.none(), SlotSet::plus);
        if (!all.equals(HASHED) || shares.stream().mapToInt(SlotSet::size).sum() != HashSlot.COUNT) {
            throw new IllegalArgumentException("The shares of a placement must have each hash slot once");
        }
        return new Spread(List.copyOf(shares), shares.size());
    }

    /** Returns over how many slots. */
    public int count() {
        return count;
    }

    /** Returns the hash slots of each; empty if the bits of the hash decide. */
    public List<SlotSet> shares() {
        return shares;
    }

    /** Returns which of the slots a root key is in, from 0. */
    int of(int hashSlot) {
        if (shares.isEmpty()) {
            return hashSlot & (count - 1);
        }
        int at = Arrays.binarySearch(begins, hashSlot);
        return shareOf[at >= 0 ? at : -at - 2];
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Spread spread && count == spread.count && shares.equals(spread.shares);
    }

    @Override
    public int hashCode() {
        return 31 * count + shares.hashCode();
    }

    @Override
    public String toString() {
        return shares.isEmpty() ? Integer.toString(count) : shares.toString();
    }
}
