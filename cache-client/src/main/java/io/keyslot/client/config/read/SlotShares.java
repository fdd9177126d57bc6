// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks the partitions' shares of the slots: by weights, or by slots that cover everything once. */
final class SlotShares {
    private static final int MOST_SHOWN = 5;

    static final ValueType<List<SlotRange>> RANGES = new ValueType<>(
            "must be slots from 0 to %d such as 0-5460,6000".formatted(HashSlot.COUNT - 1), SlotShares::parse);

    private final Section root;
    private final Problems problems;

    SlotShares(Section root, Problems problems) {
        this.root = root;
        this.problems = problems;
    }

    private static Optional<List<SlotRange>> parse(String text) {
        List<SlotRange> ranges = new ArrayList<>();
        try {
            for (String range : text.split(",", -1)) {
                ranges.add(SlotRange.parse(range));
            }
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        boolean hashed = ranges.stream().allMatch(range -> range.last() < HashSlot.COUNT);
        return hashed ? Optional.of(ranges) : Optional.empty();
    }

    void check(List<PartitionDraft> drafts) {
        Optional<PartitionDraft> bySlots =
                drafts.stream().filter(draft -> draft.slots() != null).findFirst();
        if (bySlots.isEmpty()) {
            checkWeights(drafts);
        } else if (allBySlots(drafts, bySlots.get())) {
            checkCover(drafts);
        }
    }

    private boolean allBySlots(List<PartitionDraft> drafts, PartitionDraft example) {
        boolean all = true;
        for (PartitionDraft draft : drafts) {
            if (draft.slots() != null && draft.weight() != null) {
                problems.add(draft.where(), draft.path() + " has a weight and slots, must have one or the other");
                all = false;
            } else if (draft.weight() != null) {
                problems.add(
                        draft.where(),
                        "%s has a weight, but %s has slots: use one or the other for all partitions"
                                .formatted(draft.path(), example.path()));
                all = false;
            } else if (draft.slots() == null) {
                problems.add(
                        draft.where(),
                        "%s has no slots, but %s has: give slots to all partitions or to none"
                                .formatted(draft.path(), example.path()));
                all = false;
            }
        }
        return all;
    }

    private void checkWeights(List<PartitionDraft> drafts) {
        Map<PartitionId, Integer> weights = new LinkedHashMap<>();
        drafts.forEach(draft -> weights.put(draft.id(), draft.weight() == null ? 1 : draft.weight()));
        if (weights.isEmpty()) {
            return;
        }
        if (weights.values().stream().allMatch(weight -> weight == 0)) {
            root.problem("partitions", "leaves all slots without an owner: at least one weight must be above 0");
            return;
        }
        SlotMap map = SlotMap.ofWeights(1, weights);
        drafts.stream()
                .filter(draft ->
                        map.slotsOf(draft.id()) == 0 && !Integer.valueOf(0).equals(draft.weight()))
                .forEach(draft -> problems.add(
                        draft.where(),
                        draft.path() + " would own no slot: its weight is too small beside those of the others"));
    }

    private void checkCover(List<PartitionDraft> drafts) {
        BitSet covered = new BitSet(HashSlot.COUNT);
        boolean complete = true;
        for (PartitionDraft draft : drafts) {
            List<SlotRange> ranges = draft.slots() == null ? List.of() : draft.slots();
            complete &= !ranges.isEmpty();
            BitSet twice = claim(ranges, covered);
            if (!twice.isEmpty()) {
                problems.add(draft.where(), draft.path() + ".slots has slots that were given before: " + text(twice));
            }
        }
        covered.flip(0, HashSlot.COUNT);
        // Unreadable slots are a problem already, and not reported as missing.
        if (complete && !covered.isEmpty()) {
            root.problem("partitions", "leaves slots to nobody: " + text(covered));
        }
    }

    /** Adds the ranges to the covered slots, and returns the slots that were covered before. */
    private static BitSet claim(List<SlotRange> ranges, BitSet covered) {
        BitSet twice = new BitSet(HashSlot.COUNT);
        for (SlotRange range : ranges) {
            BitSet slots = new BitSet(HashSlot.COUNT);
            slots.set(range.first(), range.last() + 1);
            BitSet before = (BitSet) slots.clone();
            before.and(covered);
            twice.or(before);
            covered.or(slots);
        }
        return twice;
    }

    private static String text(BitSet slots) {
        List<String> ranges = new ArrayList<>();
        int first = slots.nextSetBit(0);
        while (first >= 0 && ranges.size() < MOST_SHOWN) {
            int end = slots.nextClearBit(first);
            ranges.add(new SlotRange(first, end - 1).toString());
            first = slots.nextSetBit(end);
        }
        return String.join(",", ranges) + (first < 0 ? "" : " and more");
    }
}
