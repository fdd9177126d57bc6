// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.partition.TrafficCommand.Kept;
import io.keyslot.client.partition.TrafficReport;
import io.keyslot.cluster.plan.NamedLoad;
import io.keyslot.cluster.plan.SlotLoad;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sum of clients' reports, per minute. Of several reports of a client only the latest counts: after a slot has
 * moved, its previous partition still has an old report. Not thread-safe.
 */
final class ReportedTraffic {
    static final long OLDEST_MILLIS = 180_000;

    private static final double MINUTE_MILLIS = 60_000;

    private final Map<String, List<Kept>> byClient = new TreeMap<>();

    void add(List<Kept> reports) {
        for (Kept report : reports) {
            if (report.ageMillis() <= OLDEST_MILLIS) {
                byClient.computeIfAbsent(report.client(), first -> new ArrayList<>())
                        .add(report);
            }
        }
    }

    int clients() {
        return byClient.size();
    }

    private List<Kept> latest() {
        List<Kept> latest = new ArrayList<>();
        byClient.values().forEach(reports -> {
            long newest = reports.stream().mapToLong(Kept::ageMillis).min().orElse(0);
            reports.stream()
                    .filter(kept -> kept.ageMillis() - newest <= kept.report().millis() / 2)
                    .forEach(latest::add);
        });
        return latest;
    }

    Map<Integer, SlotLoad> slots() {
        Map<Integer, SlotLoad> sums = new HashMap<>();
        for (Kept kept : latest()) {
            for (TrafficReport.Slot slot : kept.report().slots()) {
                SlotLoad load = new SlotLoad(0, 0, perMinute(slot.calls(), kept), perMinute(slot.bytes(), kept));
                sums.merge(slot.slot(), load, SlotLoad::plus);
            }
        }
        return sums;
    }

    List<NamedLoad> named() {
        Map<NamedLoad, NamedLoad> sums = new HashMap<>();
        for (Kept kept : latest()) {
            for (TrafficReport.Named each : kept.report().named()) {
                SlotLoad load = new SlotLoad(0, 0, perMinute(each.calls(), kept), 0);
                sums.merge(
                        new NamedLoad(each.name(), each.slot(), each.isGroup(), SlotLoad.NONE),
                        new NamedLoad(each.name(), each.slot(), each.isGroup(), load),
                        NamedLoad::plus);
            }
        }
        return List.copyOf(sums.values());
    }

    /** Returns the calls per minute of slots for which the reports had no room. */
    long unnamedCalls() {
        return latest().stream()
                .mapToLong(kept -> perMinute(kept.report().otherCalls(), kept))
                .sum();
    }

    private static long perMinute(long amount, Kept kept) {
        return Math.round(amount * (MINUTE_MILLIS / kept.report().millis()));
    }
}
