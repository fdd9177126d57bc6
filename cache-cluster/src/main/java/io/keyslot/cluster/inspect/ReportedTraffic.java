// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.concurrent.LatencyHistogram;
import io.keyslot.client.partition.TrafficCommand.Kept;
import io.keyslot.client.partition.TrafficReport;
import io.keyslot.client.partition.TrafficReport.CacheCalls;
import io.keyslot.cluster.plan.NamedLoad;
import io.keyslot.cluster.plan.SlotLoad;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sum of clients' reports, per minute. Of several reports of a client only the latest counts: after a slot has
 * moved, its previous partition still has an old report. Not thread-safe.
 */
public final class ReportedTraffic {
    static final long OLDEST_MILLIS = 180_000;

    /** Sums of all clients and caches do not overflow, whatever other software has written. */
    private static final long MOST_PER_MINUTE = 1L << 44;

    private static final double MINUTE_MILLIS = 60_000;

    private final Map<String, List<Kept>> byClient = new TreeMap<>();

    public void add(List<Kept> reports) {
        for (Kept report : reports) {
            if (report.ageMillis() <= OLDEST_MILLIS) {
                byClient.computeIfAbsent(report.client(), first -> new ArrayList<>())
                        .add(report);
            }
        }
    }

    public int clients() {
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

    public Map<Integer, SlotLoad> slots() {
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

    /** Returns the newest report of each client, whose totals are those of all its reports of that time. */
    private Stream<Kept> newest() {
        return byClient.values().stream()
                .map(reports -> Collections.min(reports, Comparator.comparingLong(Kept::ageMillis)));
    }

    /** Returns the calls of each cache per minute, in the order of their names. */
    public List<CacheCalls> caches() {
        Map<String, CacheCalls> sums = new TreeMap<>();
        newest().forEach(kept -> kept.report()
                .totals()
                .caches()
                .forEach(cache -> sums.merge(
                        cache.name(),
                        new CacheCalls(
                                cache.name(),
                                perMinute(cache.hits(), kept),
                                perMinute(cache.misses(), kept),
                                perMinute(cache.puts(), kept),
                                perMinute(cache.removals(), kept),
                                perMinute(cache.loads(), kept)),
                        CacheCalls::plus)));
        return List.copyOf(sums.values());
    }

    /** Returns a percentile, 0 to 1, of the durations of calls in microseconds, or null if there were no calls. */
    public @Nullable Long percentileMicros(double part) {
        LatencyHistogram latencies = new LatencyHistogram();
        newest().forEach(kept -> latencies.add(kept.report().totals().latencies()));
        return latencies.count() == 0 ? null : latencies.percentile(part) / 1_000;
    }

    /** Returns how many deletions wait in clients until a missing partition answers. */
    public long pendingDeletes() {
        return newest().mapToLong(kept -> kept.report().totals().pendingDeletes())
                .sum();
    }

    /** Returns the calls per minute of slots for which the reports had no room. */
    long unnamedCalls() {
        return latest().stream()
                .mapToLong(kept -> perMinute(kept.report().otherCalls(), kept))
                .sum();
    }

    private static long perMinute(long amount, Kept kept) {
        return Math.min(
                MOST_PER_MINUTE,
                Math.round(amount * (MINUTE_MILLIS / kept.report().millis())));
    }
}
