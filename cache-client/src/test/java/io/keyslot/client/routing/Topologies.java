// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.config.Access;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.health.Partition;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;

/** Topologies of partitions that the test has made. */
public final class Topologies {
    private Topologies() {}

    public static CurrentTopology of(SlotMap map, Map<PartitionId, Partition> partitions, Timing timing) {
        return new CurrentTopology(
                layout(map, partitions.keySet()),
                options -> Objects.requireNonNull(partitions.get(options.name())),
                timing);
    }

    public static Layout layout(SlotMap map, Collection<PartitionId> partitions) {
        return new Layout(
                map,
                partitions.stream()
                        .map(id -> new PartitionOptions(id, null, Access.NONE))
                        .toList());
    }

    /** Returns a key that is hashed to a slot, as far as it says so itself. */
    public static EncodedKey keyIn(int slot) {
        return EncodedKey.inSlot(slot, ("key in " + slot).getBytes(StandardCharsets.UTF_8));
    }
}
