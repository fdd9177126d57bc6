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
 * The distribution of the keys of a placement entry over its slots, by the hash slots of their roots. Immutable.
 *
 * <ul>
 *   <li>Over 1, 2, 4 or 8 slots by the low bits of the hash: doubling leaves half of the keys in their slot.
 *   <li>By shares: one slot for each of several sets of hash slots. So hashed keys get slots of their own, one for each
 *       owner, and none changes its owner.
 * </ul>
 */
public final class Spread {
    /** The maximum number of slots by the bits of the hash. */
    public static final int LARGEST_WIDTH = 8;

    /** Shared instances for 1, 2, 4 and 8 slots, because a map may have thousands of entries. */
    private static final List<Spread> BY_BITS =
            Stream.of(1, 2, 4, LARGEST_WIDTH).map(Spread::new).toList();

    private final List<SlotSet> shares; // empty if by bits
    private final int count;
    private final int[] begins; // the start of each run of hash slots of one share
    private final int[] shareOf; // the share of each run

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

    /** Returns a spread over 1, 2, 4 or 8 slots; throws an {@link IllegalArgumentException} for any other number. */
    public static Spread over(int width) {
        if (width < 1 || width > LARGEST_WIDTH || Integer.bitCount(width) != 1) {
            throw new IllegalArgumentException("The width of a placement is %d: must be 1, 2, 4 or 8".formatted(width));
        }
        return BY_BITS.get(Integer.numberOfTrailingZeros(width));
    }

    /** Returns a spread by shares; each hash slot must be in exactly one of them, and none may be empty. */
    public static Spread byShares(List<SlotSet> shares) {
        if (shares.isEmpty()
                || shares.size() > MapRules.MOST_PARTITIONS
                || shares.stream().anyMatch(SlotSet::isEmpty)) {
            throw new IllegalArgumentException(
                    "A placement has from 1 to %d shares of the hash slots, and none is empty"
                            .formatted(MapRules.MOST_PARTITIONS));
        }
        SlotSet all = shares.stream().reduce(SlotSet.none(), SlotSet::plus);
        if (!all.equals(SlotTable.HASH_SLOTS)
                || shares.stream().mapToInt(SlotSet::size).sum() != HashSlot.COUNT) {
            throw new IllegalArgumentException("The shares of a placement must have each hash slot once");
        }
        return new Spread(List.copyOf(shares), shares.size());
    }

    public int count() {
        return count;
    }

    /** Returns the hash slots of each slot; empty if the bits of the hash decide. */
    public List<SlotSet> shares() {
        return shares;
    }

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
