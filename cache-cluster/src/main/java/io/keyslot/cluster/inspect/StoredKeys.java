// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Slices;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.cluster.plan.NamedLoad;
import io.keyslot.cluster.plan.SlotLoad;
import io.keyslot.slot.HashSlot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Counts the stored keys and bytes of a partition by slot, group and key. The first keys that a server lists are a
 * sample, because their order does not depend on their names. Keys of slots of other owners are ignored. For one use.
 */
final class StoredKeys {
    /** The most groups, and the most keys, of a partition: those with the most bytes. */
    static final int MOST_NAMED = 1_000;

    private static final int KEYS_OF_A_PAGE = 1_000;

    private final Map<Integer, SlotLoad> slots = new HashMap<>();
    private final Map<String, NamedLoad> groups = new HashMap<>();
    private final Set<String> roots = new HashSet<>(); // roots with keys besides the root key
    private List<NamedLoad> keys = new ArrayList<>();
    private long seen;
    private boolean isComplete;

    /** Reads about {@code most} keys; throws SilentException if the partition does not answer. */
    static StoredKeys of(Instances instances, PartitionMap map, MappedPartition partition, long most) {
        StoredKeys stored = new StoredKeys();
        String cursor = ScanPage.START;
        do {
            ScanPage page = instances.ask(partition, new SlotTransfer.Keys(cursor, key -> true, KEYS_OF_A_PAGE));
            cursor = page.next();
            stored.seen += page.keys().size();
            List<EncodedKey> owned = page.keys().stream()
                    .filter(key -> map.ownerOf(map.slotOf(key)).equals(Optional.of(partition.name())))
                    .toList();
            for (List<EncodedKey> some : Slices.of(owned, SlotTransfer.MOST_KEYS)) {
                List<Long> weights = instances.ask(partition, new SlotTransfer.Weights(some));
                for (int i = 0; i < some.size(); i++) {
                    stored.add(some.get(i).text(), map.slotOf(some.get(i)), new SlotLoad(1, weights.get(i), 0, 0));
                }
            }
        } while (!cursor.equals(ScanPage.START) && stored.seen < most);
        stored.isComplete = cursor.equals(ScanPage.START);
        return stored;
    }

    private void add(String key, int slot, SlotLoad load) {
        String root = HashSlot.tag(key);
        slots.merge(slot, load, SlotLoad::plus);
        groups.merge(root, new NamedLoad(root, slot, true, load), NamedLoad::plus);
        keys.add(new NamedLoad(key, slot, false, load));
        if (!root.equals(key)) {
            roots.add(root);
        }
        if (keys.size() > 2 * MOST_NAMED) {
            keys = new ArrayList<>(largest(keys.stream()).toList());
        }
    }

    private static Stream<NamedLoad> largest(Stream<NamedLoad> all) {
        return all.sorted(
                        Comparator.<NamedLoad>comparingLong(each -> each.load().bytes())
                                .reversed()
                                .thenComparing(NamedLoad::name))
                .limit(MOST_NAMED);
    }

    long seen() {
        return seen;
    }

    boolean isComplete() {
        return isComplete;
    }

    /** Returns the estimated load of each slot, extrapolated to all keys. */
    Map<Integer, SlotLoad> slots(long allKeys) {
        double times = isComplete || seen == 0 ? 1 : Math.max(1, (double) allKeys / seen);
        Map<Integer, SlotLoad> all = new HashMap<>();
        slots.forEach((slot, load) -> all.put(slot, load.stored(times)));
        return all;
    }

    Stream<NamedLoad> named() {
        return Stream.concat(
                largest(groups.values().stream().filter(group -> roots.contains(group.name()))),
                largest(keys.stream()));
    }
}
