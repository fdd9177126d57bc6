// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Positions of a bulk call, by who is to be asked about them. Immutable.
 *
 * @param chunks the positions that one command each asks about, in order
 * @param unowned the positions whose slot has no owner
 */
record BulkSplit(List<Chunk> chunks, List<Integer> unowned) {
    /** A command about more keys would keep the partition from answering anybody else for too long. */
    static final int MOST_KEYS_OF_A_COMMAND = 500;

    /** Positions that one partition is asked about at once. */
    record Chunk(PartitionId partition, List<Integer> positions) {}

    /** Splits the positions by this slot map. */
    static BulkSplit of(List<Integer> positions, ToIntFunction<Integer> slotOf, SlotMap map) {
        Map<PartitionId, List<Integer>> owned = new LinkedHashMap<>();
        List<Integer> unowned = new ArrayList<>();
        for (Integer position : positions) {
            Optional<PartitionId> owner = map.ownerOf(slotOf.applyAsInt(position));
            owner.map(partition -> owned.computeIfAbsent(partition, first -> new ArrayList<>()))
                    .orElse(unowned)
                    .add(position);
        }
        List<Chunk> chunks = new ArrayList<>();
        owned.forEach((partition, all) -> cut(partition, all, chunks));
        return new BulkSplit(chunks, unowned);
    }

    private static void cut(PartitionId partition, List<Integer> all, List<Chunk> chunks) {
        for (int from = 0; from < all.size(); from += MOST_KEYS_OF_A_COMMAND) {
            int to = Math.min(from + MOST_KEYS_OF_A_COMMAND, all.size());
            chunks.add(new Chunk(partition, all.subList(from, to)));
        }
    }
}
