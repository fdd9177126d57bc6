// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.inspect.LoadTables;
import io.keyslot.cluster.inspect.SurveyedLoad;
import io.keyslot.cluster.plan.Measure;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Formats a load for the page. Pure. */
final class LoadViews {
    private static final int MOST_ROWS = 20;

    private LoadViews() {}

    /** Returns the survey without keys of applications. */
    static Map<String, Object> survey(SurveyedLoad load, int number) {
        List<Map<String, ?>> rows = new ArrayList<>();
        load.byPartition()
                .forEach((name, sum) -> rows.add(Map.of(
                        "name", name.name(),
                        "keys", sum.keys(),
                        "bytes", sum.bytes(),
                        "calls", sum.calls(),
                        "traffic", sum.traffic())));
        return Map.of(
                "number", number,
                "map", load.map().stamp().toString(),
                "clients", load.clients(),
                "rows", rows,
                "callsUnknown", names(load.unknown(Measure.CALLS)),
                "keysUnknown", names(load.unknown(Measure.KEYS)),
                "notes", load.remarks());
    }

    private static List<String> names(List<PartitionId> partitions) {
        return partitions.stream().map(PartitionId::name).toList();
    }

    static Map<String, Object> heat(SurveyedLoad load, Measure measure) {
        List<Long> amounts = new ArrayList<>(Collections.nCopies(HashSlot.COUNT, 0L));
        load.slots().forEach((slot, sum) -> {
            if (slot < HashSlot.COUNT) {
                amounts.set(slot, sum.by(measure));
            }
        });
        return Map.of("by", measure.name().toLowerCase(Locale.ROOT), "slots", amounts);
    }

    /** Returns the groups and keys with the highest load, for viewers with the token only. */
    static Map<String, Object> hot(SurveyedLoad load) {
        return Map.of(
                "calls", LoadTables.most(load, Measure.CALLS, MOST_ROWS),
                "bytes", LoadTables.most(load, Measure.BYTES, MOST_ROWS));
    }
}
