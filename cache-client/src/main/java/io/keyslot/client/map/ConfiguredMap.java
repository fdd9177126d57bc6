// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.register.Generation;
import io.keyslot.slot.SlotMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The map computed from a configuration: version 1, equal for all clients with equal partitions. */
public final class ConfiguredMap {
    private ConfiguredMap() {}

    public static PartitionMap of(ClientOptions options) {
        SlotMap slotMap = options.slotMap();
        List<MappedPartition> partitions = options.partitions().stream()
                .map(partition ->
                        MappedPartition.active(partition.name(), withoutLogin(partition.uri()), partition.weight()))
                .toList();
        return new PartitionMap(
                new MapStamp(Generation.CONFIGURED, slotMap.version()),
                MapCommit.CONFIGURED,
                new MapContent(partitions, SlotTable.of(slotMap), List.of()));
    }

    private static @Nullable PartitionUri withoutLogin(@Nullable PartitionUri uri) {
        return uri == null ? null : uri.withoutLogin();
    }
}
