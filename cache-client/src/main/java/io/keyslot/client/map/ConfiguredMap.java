// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ClientOptions.PlacementOptions;
import io.keyslot.client.config.ClientOptions.PlacementOptions.Target;
import io.keyslot.client.config.ConfigurationException;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.register.Generation;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The map computed from a configuration: version 1, equal for all clients with equal partitions and placements. */
public final class ConfiguredMap {
    private ConfiguredMap() {}

    /**
     * Returns the map of these options; a {@link ConfigurationException} or, for options that were not read from a
     * file, an {@link InvalidMapException} has all problems, such as an id in two ranges.
     */
    public static PartitionMap of(ClientOptions options) {
        SlotMap slotMap = options.slotMap();
        List<MappedPartition> partitions = options.partitions().stream()
                .map(partition ->
                        MappedPartition.active(partition.name(), withoutLogin(partition.uri()), partition.weight()))
                .toList();
        MapContent hashed = new MapContent(partitions, SlotTable.of(slotMap), List.of());
        MapStamp stamp = new MapStamp(Generation.CONFIGURED, slotMap.version());
        if (options.placements().isEmpty()) {
            return new PartitionMap(stamp, MapCommit.CONFIGURED, hashed);
        }
        try {
            MapContent placed = ConfiguredPlacements.in(hashed, options.placements());
            return new PartitionMap(stamp, MapCommit.CONFIGURED, placed);
        } catch (InvalidMapException e) {
            throw refused(options, e);
        }
    }

    private static ConfigurationException refused(ClientOptions options, InvalidMapException invalid) {
        return new ConfigurationException(
                options.origin(),
                invalid.problems().stream()
                        .map(problem -> "placements: " + problem)
                        .toList());
    }

    private static @Nullable PartitionUri withoutLogin(@Nullable PartitionUri uri) {
        return uri == null ? null : uri.withoutLogin();
    }

    /**
     * Computes the slots of configured placements. The slots of an entry depend on its name; so clients with different
     * placements use different slots, which the instances notice and refuse.
     */
    private static final class ConfiguredPlacements {
        private final BitSet used = new BitSet();
        private final Map<PartitionId, List<SlotRange>> owned = new LinkedHashMap<>();

        private ConfiguredPlacements() {}

        static MapContent in(MapContent hashed, List<PlacementOptions> configured) {
            ConfiguredPlacements made = new ConfiguredPlacements();
            List<Placement> placements = configured.stream()
                    .sorted(Comparator.comparing(PlacementOptions::rootType))
                    .map(made::placement)
                    .toList();
            SlotTable slots = hashed.slots();
            for (Map.Entry<PartitionId, List<SlotRange>> owner : made.owned.entrySet()) {
                slots = slots.withOwner(SlotSet.of(owner.getValue()), owner.getKey());
            }
            return new MapContent(hashed.partitions(), slots, hashed.moves(), new Placements(placements));
        }

        private Placement placement(PlacementOptions options) {
            String type = options.rootType();
            SortedMap<String, Target> byId = new TreeMap<>();
            options.list().forEach(listed -> byId.put(listed.id(), listed.target()));
            SortedMap<String, PlacementTarget> list = new TreeMap<>();
            byId.forEach((id, target) -> list.put(id, target(type + ":" + id, target)));
            List<Placement.PlacedRange> ranges = new ArrayList<>();
            for (PlacementOptions.Range range : options.ranges()) {
                String name = type + "[" + range.low() + ".." + range.high();
                ranges.add(new Placement.PlacedRange(range.low(), range.high(), target(name, range.target())));
            }
            RangeType rangeType = rangeType(options);
            return new Placement(
                    type,
                    rangeType,
                    list,
                    rangeType == null ? ranges : Placement.PlacedRange.inOrder(rangeType, ranges),
                    options.refuses() ? Placement.Otherwise.REFUSE : Placement.Otherwise.HASH);
        }

        private static @Nullable RangeType rangeType(PlacementOptions options) {
            return options.rangesOf()
                    .map(word -> RangeType.valueOf(word.toUpperCase(Locale.ROOT)))
                    .orElse(null);
        }

        private PlacementTarget target(String name, Target target) {
            int first = freeSlots(name, target.width());
            SlotRange range = new SlotRange(first, first + target.width() - 1);
            used.set(range.first(), range.last() + 1);
            owned.computeIfAbsent(target.owner(), owner -> new ArrayList<>()).add(range);
            return PlacementTarget.of(first, target.width());
        }

        private int freeSlots(String name, int width) {
            int count = SlotRange.END - HashSlot.COUNT - width + 1;
            CRC32C crc = new CRC32C();
            crc.update(name.getBytes(StandardCharsets.UTF_8));
            int begin = (int) (crc.getValue() % count);
            for (int step = 0; step < count; step++) {
                int first = HashSlot.COUNT + (begin + step) % count;
                int next = used.nextSetBit(first);
                if (next < 0 || next >= first + width) {
                    return first;
                }
            }
            throw new InvalidMapException(List.of("there are more entries than slots for them"));
        }
    }
}
