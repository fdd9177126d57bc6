// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counts and weighs what a partition stores, by slot: all of it, or of many keys as many as were asked for. Servers list keys in
 * an order that has nothing to do with their names, so the first ones are a sample. Keys of slots that others own
 * are left out.
 *
 * @param slots what was seen
 * @param keys how many that were
 * @param isComplete whether those were all
 */
record SampledKeys(Map<Integer, SlotUse> slots, long keys, boolean isComplete) {
    private static final int KEYS_OF_A_PAGE = 1_000;

    /** Looks at the keys of a partition. */
    static SampledKeys of(AskedPartition asked, PartitionMap map, PartitionId id, long most)
            throws AskedPartition.UnknownException {
        Map<Integer, SlotUse> slots = new HashMap<>();
        long seen = 0;
        String cursor = ScanPage.START;
        do {
            ScanPage page = asked.ask(new SlotTransfer.Keys(cursor, key -> true, KEYS_OF_A_PAGE));
            cursor = page.next();
            seen += page.keys().size();
            List<EncodedKey> owned = page.keys().stream()
                    .filter(key -> owns(id, map, map.slotOf(key)))
                    .toList();
            for (int from = 0; from < owned.size(); from += SlotTransfer.MOST_KEYS) {
                List<EncodedKey> some = owned.subList(from, Math.min(owned.size(), from + SlotTransfer.MOST_KEYS));
                List<Long> weights = asked.ask(new SlotTransfer.Weights(some));
                for (int i = 0; i < some.size(); i++) {
                    slots.merge(map.slotOf(some.get(i)), new SlotUse(1, weights.get(i), 0, 0), SlotUse::plus);
                }
            }
        } while (!cursor.equals(ScanPage.START) && seen < most);
        return new SampledKeys(slots, seen, cursor.equals(ScanPage.START));
    }

    /** A key that a placement refuses has no slot. */
    private static boolean owns(PartitionId id, PartitionMap map, int slot) {
        return slot >= 0 && map.ownerOf(slot).equals(Optional.of(id));
    }

    /** Returns what all keys have, by what was seen. */
    Map<Integer, SlotUse> of(long allKeys) {
        double times = isComplete || keys == 0 ? 1 : Math.max(1, (double) allKeys / keys);
        Map<Integer, SlotUse> all = new HashMap<>();
        slots.forEach((slot, use) -> all.put(slot, use.stored(times)));
        return all;
    }
}
