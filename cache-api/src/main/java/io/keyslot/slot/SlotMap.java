// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The owner of each slot at one version. Immutable. A slot has at most one owner. */
public final class SlotMap {
    private final long version;
    private final Map<PartitionId, List<SlotRange>> ranges;
    private final @Nullable PartitionId[] owners; // no longer than needed: most maps have no placed slots

    /**
     * Creates a map from the ranges of each partition, in that order.
     *
     * @throws IllegalArgumentException if two ranges overlap, or there is no partition
     */
    public SlotMap(long version, Map<PartitionId, List<SlotRange>> ranges) {
        if (ranges.isEmpty()) {
            throw new IllegalArgumentException("Slot map: has no partition");
        }
        this.version = version;
        this.owners = new PartitionId[slotsOf(ranges)];
        Map<PartitionId, List<SlotRange>> copy = new LinkedHashMap<>();
        ranges.forEach((partition, owned) -> {
            owned.forEach(range -> claim(range, partition));
            copy.put(partition, merged(owned));
        });
        this.ranges = Collections.unmodifiableMap(copy);
    }

    private static int slotsOf(Map<PartitionId, List<SlotRange>> ranges) {
        return ranges.values().stream()
                .flatMap(List::stream)
                .mapToInt(range -> range.last() + 1)
                .reduce(HashSlot.COUNT, Math::max);
    }

    /** Gives each partition the same number of contiguous slots; a remainder goes to the first ones. */
    public static SlotMap ofEqualShares(long version, List<PartitionId> partitions) {
        Map<PartitionId, Integer> weights = new LinkedHashMap<>();
        partitions.forEach(partition -> weights.put(partition, 1));
        return ofWeights(version, weights);
    }

    /**
     * Gives each partition contiguous slots in proportion to its weight, by the largest remainder.
     *
     * @throws IllegalArgumentException if a weight is below 0 or none is above 0
     */
    public static SlotMap ofWeights(long version, Map<PartitionId, Integer> weights) {
        weights.forEach(SlotMap::checkWeight);
        long total = weights.values().stream().mapToLong(Integer::longValue).sum();
        if (total == 0) {
            throw new IllegalArgumentException("Weights are %s: at least one must be above 0".formatted(weights));
        }
        Map<PartitionId, Integer> shares = new LinkedHashMap<>();
        weights.forEach((partition, weight) -> shares.put(partition, (int) (HashSlot.COUNT * (long) weight / total)));
        int left = HashSlot.COUNT
                - shares.values().stream().mapToInt(Integer::intValue).sum();
        weights.entrySet().stream()
                .sorted(Comparator.comparingLong(share -> -(HashSlot.COUNT * (long) share.getValue() % total)))
                .limit(left)
                .forEach(share -> shares.merge(share.getKey(), 1, Integer::sum));
        return new SlotMap(version, neighbouring(shares));
    }

    private static void checkWeight(PartitionId partition, int weight) {
        if (weight < 0) {
            throw new IllegalArgumentException("Weight of %s is %d: must be at least 0".formatted(partition, weight));
        }
    }

    private static Map<PartitionId, List<SlotRange>> neighbouring(Map<PartitionId, Integer> shares) {
        Map<PartitionId, List<SlotRange>> ranges = new LinkedHashMap<>();
        int next = 0;
        for (Map.Entry<PartitionId, Integer> share : shares.entrySet()) {
            int size = share.getValue();
            ranges.put(share.getKey(), size == 0 ? List.of() : List.of(new SlotRange(next, next + size - 1)));
            next += size;
        }
        return ranges;
    }

    private void claim(SlotRange range, PartitionId partition) {
        for (int slot = range.first(); slot <= range.last(); slot++) {
            PartitionId before = owners[slot];
            if (before != null) {
                throw new IllegalArgumentException(
                        "Slot map: ranges overlap, slot %d belongs to %s and to %s".formatted(slot, before, partition));
            }
            owners[slot] = partition;
        }
    }

    private static List<SlotRange> merged(List<SlotRange> owned) {
        List<SlotRange> sorted = new ArrayList<>(owned);
        sorted.sort(Comparator.comparingInt(SlotRange::first));
        List<SlotRange> merged = new ArrayList<>();
        for (SlotRange range : sorted) {
            SlotRange last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            if (last != null && last.last() + 1 == range.first()) {
                merged.set(merged.size() - 1, new SlotRange(last.first(), range.last()));
            } else {
                merged.add(range);
            }
        }
        return List.copyOf(merged);
    }

    /** Returns the version; a map with a higher one replaces this one. */
    public long version() {
        return version;
    }

    /** Returns the partitions in their original order. */
    public List<PartitionId> partitions() {
        return List.copyOf(ranges.keySet());
    }

    /** Returns the owner of the slot, or empty if it has none. */
    public Optional<PartitionId> ownerOf(int slot) {
        return slot < owners.length ? Optional.ofNullable(owners[slot]) : Optional.empty();
    }

    /** Returns the slots of a partition, in order and with adjacent ranges joined; empty if it is not in the map. */
    public List<SlotRange> rangesOf(PartitionId partition) {
        return ranges.getOrDefault(partition, List.of());
    }

    /** Returns the number of slots that the partition owns. */
    public int slotsOf(PartitionId partition) {
        return rangesOf(partition).stream().mapToInt(SlotRange::size).sum();
    }

    /** Returns the number of hash slots without an owner. */
    public int unownedSlots() {
        int unowned = 0;
        for (int slot = 0; slot < HashSlot.COUNT; slot++) {
            unowned += owners[slot] == null ? 1 : 0;
        }
        return unowned;
    }

    /** Returns the ranges of a partition as text: {@code 0-5460,6000}. */
    public String describe(PartitionId partition) {
        return rangesOf(partition).stream().map(SlotRange::toString).collect(Collectors.joining(","));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SlotMap map && map.version == version && map.ranges.equals(ranges);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(version) * 31 + ranges.hashCode();
    }

    /** Returns the version and the ranges: {@code v1 p1=0-8191 p2=8192-16383}. */
    @Override
    public String toString() {
        return partitions().stream()
                .map(partition -> partition + "=" + describe(partition))
                .collect(Collectors.joining(" ", "v" + version + " ", ""));
    }
}
