// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ConfigurationException;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.slot.SlotMap;
import java.util.List;
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
                .map(partition -> MappedPartition.active(
                        partition.name(), withoutLogin(partition.uri()), weight(partition, slotMap)))
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

    /** A partition with explicit slots has no meaningful weight; the number of its slots replaces it. */
    private static int weight(PartitionOptions partition, SlotMap slotMap) {
        return partition.slots().isEmpty() ? partition.weight() : Math.max(1, slotMap.slotsOf(partition.name()));
    }

    private static @Nullable PartitionUri withoutLogin(@Nullable PartitionUri uri) {
        return uri == null ? null : uri.withoutLogin();
    }
}
