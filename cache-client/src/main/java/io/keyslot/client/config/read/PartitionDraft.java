// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.Access;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.ReplicaOptions;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A partition as written in the file, before it is compared with the others; null and empty parts were not written, or
 * cannot be read. {@code addressed} is whether an address was written, readable or not.
 */
record PartitionDraft(
        Location where,
        PartitionId id,
        boolean addressed,
        @Nullable PartitionUri uri,
        @Nullable Integer weight,
        @Nullable List<SlotRange> slots,
        Access access,
        String zone,
        List<ReplicaOptions> replicas) {

    static PartitionDraft named(Location where, PartitionId id) {
        return new PartitionDraft(where, id, false, null, null, null, Access.NONE, "", List.of());
    }

    static PartitionDraft at(Location where, PartitionId id, @Nullable PartitionUri uri) {
        return new PartitionDraft(where, id, true, uri, null, null, Access.NONE, "", List.of());
    }

    String path() {
        return "partitions." + id;
    }

    PartitionOptions toOptions(Access others) {
        Access whole = access.or(others);
        PartitionUri address = uri == null ? null : uri.withDefault(whole.login());
        return new PartitionOptions(
                id,
                address,
                weight == null ? 1 : weight,
                slots == null ? List.of() : slots,
                address == null ? Access.NONE : whole,
                zone,
                replicas.stream()
                        .map(replica -> replica.withDefault(whole.login()))
                        .toList());
    }
}
