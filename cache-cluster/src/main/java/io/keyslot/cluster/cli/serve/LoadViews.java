// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.serve;

import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.load.CacheTables;
import io.keyslot.cluster.load.HotLoad;
import io.keyslot.cluster.load.SlotUse;
import io.keyslot.cluster.load.SurveyedLoad;
import io.keyslot.cluster.load.ToldCaches;
import io.keyslot.cluster.load.Usage;
import io.keyslot.cluster.plan.HotRoot;
import io.keyslot.cluster.survey.SeenGroup;
import io.keyslot.cluster.survey.SeenGroups;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** How the page is told of the load of slots. Pure. */
final class LoadViews {
    private static final int MOST_ROWS = 20;

    private LoadViews() {}

    /** Returns what was surveyed, with no key of an application in it. */
    static Map<String, Object> survey(SurveyedLoad load, int number) {
        List<Map<String, ?>> rows = new ArrayList<>();
        load.byPartition()
                .forEach((name, use) -> rows.add(Map.of(
                        "name",
                        name.name(),
                        "keys",
                        use.keys(),
                        "bytes",
                        use.bytes(),
                        "calls",
                        use.calls(),
                        "traffic",
                        use.traffic(),
                        "owed",
                        load.caches().owedTo(name))));
        ToldCaches told = load.caches();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("number", number);
        all.put("map", load.map().stamp().toString());
        all.put("clients", load.clients());
        all.put("rows", rows);
        all.put("callsUnknown", names(load.unknown(Usage.CALLS)));
        all.put("keysUnknown", names(load.unknown(Usage.KEYS)));
        all.put("caches", CacheTables.rows(told));
        all.put("clientsOfCaches", told.clients());
        all.put("brokenLinks", told.brokenLinks());
        all.put("notes", load.remarks());
        return all;
    }

    private static List<String> names(List<PartitionId> partitions) {
        return partitions.stream().map(PartitionId::name).toList();
    }

    /** Returns one measure of each slot, in the order of slots. */
    static Map<String, Object> heat(SurveyedLoad load, String name, ToLongFunction<SlotUse> measure) {
        List<Long> amounts = new ArrayList<>(Collections.nCopies(HashSlot.COUNT, 0L));
        load.slots().forEach((slot, use) -> {
            if (slot < HashSlot.COUNT) {
                amounts.set(slot, measure.applyAsLong(use));
            }
        });
        return Map.of("by", name, "slots", amounts);
    }

    /** Returns the roots of slots and the keys that are asked for most: what only whoever has the token is shown. */
    static Map<String, Object> hot(SurveyedLoad load) {
        List<Map<String, ?>> slots = new ArrayList<>();
        for (int slot : load.top(Usage.CALLS, MOST_ROWS)) {
            HotRoot root = load.roots().get(slot);
            slots.add(Map.of(
                    "slot",
                    slot,
                    "partition",
                    owner(load.map(), slot),
                    "calls",
                    load.slots().getOrDefault(slot, new SlotUse(0, 0, 0, 0)).calls(),
                    "root",
                    root == null ? "" : root.root(),
                    "rootCalls",
                    root == null ? 0 : root.calls()));
        }
        List<Map<String, ?>> keys = new ArrayList<>();
        for (HotLoad key : load.hot().top("", MOST_ROWS)) {
            keys.add(Map.of(
                    "cache",
                    key.cache(),
                    "key",
                    key.key(),
                    "slot",
                    key.slot(),
                    "reads",
                    key.reads(),
                    "error",
                    key.error()));
        }
        return Map.of("slots", slots, "keys", keys);
    }

    /** Returns the groups that are too large. */
    static Map<String, Object> groups(SeenGroups seen) {
        List<Map<String, ?>> rows = new ArrayList<>();
        for (SeenGroup group :
                seen.groups().subList(0, Math.min(MOST_ROWS, seen.groups().size()))) {
            rows.add(Map.of(
                    "root",
                    group.root(),
                    "slot",
                    group.slot(),
                    "partition",
                    owner(seen.map(), group.slot()),
                    "keys",
                    group.keys(),
                    "bytes",
                    group.bytes()));
        }
        return Map.of("rows", rows, "all", seen.groups().size(), "notes", seen.notes());
    }

    private static String owner(PartitionMap map, int slot) {
        return map.ownerOf(slot).map(PartitionId::name).orElse("nobody");
    }
}
