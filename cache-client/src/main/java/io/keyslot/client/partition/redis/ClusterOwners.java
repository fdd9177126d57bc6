// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The primaries with their slots, as one node sees them, in the order of their first slots. Free of I/O. */
public record ClusterOwners(List<ClusterPrimary> primaries) {
    public ClusterOwners {
        primaries = primaries.stream()
                .sorted(Comparator.comparingInt(ClusterOwners::firstSlot).thenComparing(ClusterPrimary::id))
                .toList();
    }

    private static int firstSlot(ClusterPrimary node) {
        return node.slots().stream().mapToInt(SlotRange::first).min().orElse(HashSlot.COUNT);
    }

    /** Returns whether each slot has exactly one owner, and each primary a unique name and address. */
    public boolean isComplete() {
        BitSet owned = new BitSet(HashSlot.COUNT);
        Set<PartitionId> names = new HashSet<>();
        Set<String> addresses = new HashSet<>();
        for (ClusterPrimary node : primaries) {
            if (!names.add(node.partition()) || !addresses.add(node.host() + " " + node.port())) {
                return false;
            }
            for (SlotRange range : node.slots()) {
                int taken = owned.nextSetBit(range.first());
                if (range.last() >= HashSlot.COUNT || (taken >= 0 && taken <= range.last())) {
                    return false;
                }
                owned.set(range.first(), range.last() + 1);
            }
        }
        return owned.cardinality() == HashSlot.COUNT;
    }

    public Optional<ClusterPrimary> ownerOf(int slot) {
        return primaries.stream()
                .filter(node -> node.slots().stream().anyMatch(range -> range.first() <= slot && slot <= range.last()))
                .findFirst();
    }

    public Optional<ClusterPrimary> at(String host, int port) {
        return primaries.stream().filter(node -> node.isAt(host, port)).findFirst();
    }

    /** Returns the view in which this primary owns a slot; empty if it is unknown, or owns the slot already. */
    public Optional<ClusterOwners> moved(int slot, String host, int port) {
        Optional<ClusterPrimary> to = at(host, port);
        if (slot >= HashSlot.COUNT || to.isEmpty() || to.equals(ownerOf(slot))) {
            return Optional.empty();
        }
        return Optional.of(new ClusterOwners(primaries.stream()
                .map(node -> node.with(node.equals(to.get()) ? plus(node.slots(), slot) : minus(node.slots(), slot)))
                .toList()));
    }

    private static List<SlotRange> plus(List<SlotRange> ranges, int slot) {
        List<SlotRange> more = new ArrayList<>(ranges);
        more.add(new SlotRange(slot, slot));
        return joined(more);
    }

    private static List<SlotRange> minus(List<SlotRange> ranges, int slot) {
        List<SlotRange> less = new ArrayList<>();
        for (SlotRange range : ranges) {
            if (slot < range.first() || slot > range.last()) {
                less.add(range);
                continue;
            }
            if (range.first() < slot) {
                less.add(new SlotRange(range.first(), slot - 1));
            }
            if (slot < range.last()) {
                less.add(new SlotRange(slot + 1, range.last()));
            }
        }
        return less;
    }

    /** Returns the ranges in order with adjacent ones merged, so that equivalent views are equal. */
    static List<SlotRange> joined(List<SlotRange> ranges) {
        List<SlotRange> sorted = new ArrayList<>(ranges);
        sorted.sort(Comparator.comparingInt(SlotRange::first));
        List<SlotRange> joined = new ArrayList<>();
        for (SlotRange range : sorted) {
            SlotRange last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
            if (last != null && last.last() + 1 == range.first()) {
                joined.set(joined.size() - 1, new SlotRange(last.first(), range.last()));
            } else {
                joined.add(range);
            }
        }
        return joined;
    }

    public SlotMap slotMap(long version) {
        Map<PartitionId, List<SlotRange>> ranges = new LinkedHashMap<>();
        primaries.forEach(node -> ranges.put(node.partition(), node.slots()));
        return new SlotMap(version, ranges);
    }
}
