// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

/**
 * A range of contiguous slots. Those below {@link HashSlot#COUNT} are the slots of hashed keys; those above belong to
 * the keys that placements name, and are owned and moved in the same way.
 *
 * @param first the first slot, at least 0
 * @param last the last slot, inclusive, below {@link #END}
 */
public record SlotRange(int first, int last) {
    /** The highest slot plus one: a slot has 16 bits. */
    public static final int END = 1 << 16;

    public SlotRange {
        if (first < 0 || last < first || last >= END) {
            throw new IllegalArgumentException(
                    "Slot range %d-%d: must lie within 0-%d, first slot first".formatted(first, last, END - 1));
        }
    }

    /** Parses {@code first-last}, or a single slot. */
    public static SlotRange parse(String text) {
        String[] ends = text.trim().split("-", 2);
        try {
            int first = Integer.parseInt(ends[0].trim());
            return new SlotRange(first, ends.length == 1 ? first : Integer.parseInt(ends[1].trim()));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Slot range '%s': must be a slot or first-last".formatted(text), e);
        }
    }

    /** Returns the number of slots. */
    public int size() {
        return last - first + 1;
    }

    @Override
    public String toString() {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }
}
