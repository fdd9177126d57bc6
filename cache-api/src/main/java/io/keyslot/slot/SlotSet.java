// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An immutable set of slots. {@link #contains} takes constant time. */
public final class SlotSet {
    private static final SlotSet NONE = new SlotSet(new BitSet());

    private final BitSet slots;

    /** The caller must not modify the slots afterwards. */
    private SlotSet(BitSet slots) {
        this.slots = slots;
    }

    public static SlotSet none() {
        return NONE;
    }

    public static SlotSet of(int slot) {
        return of(new SlotRange(slot, slot));
    }

    public static SlotSet of(SlotRange range) {
        return of(List.of(range));
    }

    /** Returns the slots of all ranges, which may overlap. */
    public static SlotSet of(Collection<SlotRange> ranges) {
        BitSet slots = new BitSet();
        ranges.forEach(range -> slots.set(range.first(), range.last() + 1));
        return new SlotSet(slots);
    }

    /** Returns the slots of a stream, in any order. */
    public static SlotSet of(IntStream numbers) {
        BitSet slots = new BitSet();
        numbers.forEach(slot -> slots.set(new SlotRange(slot, slot).first()));
        return new SlotSet(slots);
    }

    /**
     * Parses the form of {@link #toString}, in any order: {@code 0-5460,6000}.
     *
     * @throws IllegalArgumentException if the text is not a comma-separated list of slots and ranges
     */
    public static SlotSet parse(String text) {
        List<SlotRange> ranges = new ArrayList<>();
        if (!text.isEmpty()) {
            for (String range : text.split(",", -1)) {
                ranges.add(SlotRange.parse(range));
            }
        }
        return of(ranges);
    }

    public boolean contains(int slot) {
        return slots.get(slot);
    }

    public boolean containsAll(SlotSet others) {
        return others.minus(this).isEmpty();
    }

    public boolean intersects(SlotSet others) {
        return slots.intersects(others.slots);
    }

    /** Returns whether any slot of the range is in this set. */
    public boolean intersects(SlotRange range) {
        int next = slots.nextSetBit(range.first());
        return next >= 0 && next <= range.last();
    }

    public boolean isEmpty() {
        return slots.isEmpty();
    }

    /** Returns the number of slots. */
    public int size() {
        return slots.cardinality();
    }

    public SlotSet plus(SlotSet others) {
        BitSet sum = copy();
        sum.or(others.slots);
        return new SlotSet(sum);
    }

    public SlotSet minus(SlotSet others) {
        BitSet rest = copy();
        rest.andNot(others.slots);
        return new SlotSet(rest);
    }

    public SlotSet and(SlotSet others) {
        BitSet both = copy();
        both.and(others.slots);
        return new SlotSet(both);
    }

    private BitSet copy() {
        return (BitSet) slots.clone();
    }

    /** Returns the lowest slots, at most the given number. */
    public SlotSet lowest(int most) {
        return of(stream().limit(most));
    }

    /** Returns the highest slots, at most the given number. */
    public SlotSet highest(int most) {
        return of(stream().skip(Math.max(0, size() - most)));
    }

    /** Returns the slots in ascending order. */
    public IntStream stream() {
        return slots.stream();
    }

    /** Returns the ranges of contiguous slots in ascending order. */
    public List<SlotRange> ranges() {
        List<SlotRange> ranges = new ArrayList<>();
        int first = slots.nextSetBit(0);
        while (first >= 0) {
            int end = slots.nextClearBit(first);
            ranges.add(new SlotRange(first, end - 1));
            first = slots.nextSetBit(end);
        }
        return List.copyOf(ranges);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SlotSet set && slots.equals(set.slots);
    }

    @Override
    public int hashCode() {
        return slots.hashCode();
    }

    /** Returns the form {@code 0-5460,6000}, empty for an empty set. */
    @Override
    public String toString() {
        return ranges().stream().map(SlotRange::toString).collect(Collectors.joining(","));
    }
}
