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
 * A partition as it was written, before it is compared with the others.
 *
 * @param where where it was written
 * @param id its name
 * @param addressed whether an address was written, readable or not
 * @param uri the address; null if none was written, or it cannot be read
 * @param weight null if none was written
 * @param slots null if none were written
 * @param access who we are there, as far as it was written
 * @param zone where it is, empty if that was not written
 * @param replicas servers that follow it, as far as that can be read
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

    /** @param others where nothing else is said */
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
