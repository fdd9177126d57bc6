// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.survey;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Goes over the keys that a partition owns, page by page, and keeps none. Servers list keys in an order that has nothing to do with
 * their names, so the first ones are a sample; one that is written meanwhile may be listed twice. What
 * is left of slots that have moved is left out.
 *
 * @param most about how many keys are looked at; all if 0
 */
record KeyWalk(Instances instances, PartitionMap map, long most) {
    private static final int KEYS_OF_A_PAGE = 1_000;

    /**
     * How far one got.
     *
     * @param keys how many were looked at
     * @param isComplete whether those were all
     */
    record Walked(long keys, boolean isComplete) {}

    /** Is told of each key. */
    interface Visitor {
        void visit(EncodedKey key, int slot, long bytes);
    }

    /** @throws io.keyslot.cluster.operator.SilentException if the partition does not answer */
    Walked over(MappedPartition partition, Predicate<EncodedKey> wanted, Visitor visitor) {
        long seen = 0;
        String cursor = ScanPage.START;
        do {
            ScanPage page = instances.ask(partition, new SlotTransfer.Keys(cursor, key -> true, KEYS_OF_A_PAGE));
            cursor = page.next();
            seen += page.keys().size();
            List<EncodedKey> owned = page.keys().stream()
                    .filter(wanted)
                    .filter(key -> owns(partition.name(), map.slotOf(key)))
                    .toList();
            for (int from = 0; from < owned.size(); from += SlotTransfer.MOST_KEYS) {
                List<EncodedKey> some = owned.subList(from, Math.min(owned.size(), from + SlotTransfer.MOST_KEYS));
                List<Long> weights = instances.ask(partition, new SlotTransfer.Weights(some));
                for (int i = 0; i < some.size(); i++) {
                    visitor.visit(some.get(i), map.slotOf(some.get(i)), weights.get(i));
                }
            }
        } while (!cursor.equals(ScanPage.START) && (most == 0 || seen < most));
        return new Walked(seen, cursor.equals(ScanPage.START));
    }

    /** A key that a placement refuses has no slot. */
    private boolean owns(PartitionId id, int slot) {
        return slot >= 0 && map.ownerOf(slot).equals(Optional.of(id));
    }
}
