// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

import io.keyslot.client.partition.TrafficCommand.Kept;
import io.keyslot.client.traffic.CachesReport;
import io.keyslot.client.traffic.HotTraffic;
import io.keyslot.client.traffic.SlotTraffic;
import io.keyslot.cluster.plan.HotRoot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sums the reports of clients, as of a minute. Of a client that has told several partitions at different times, only the latest
 * counts: after a slot has moved, the partition before still has a report about it. Not safe for use by several threads.
 */
final class ReportedTraffic {
    /** Older reports say nothing of now. */
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

    /** Returns calls and traffic of each slot that was reported. */
    Map<Integer, SlotUse> slots() {
        Map<Integer, SlotUse> sums = new HashMap<>();
        for (Kept kept : latest()) {
            for (SlotTraffic slot : kept.report().slots()) {
                sums.merge(
                        slot.slot(),
                        new SlotUse(0, 0, perMinute(slot.calls(), kept), perMinute(slot.bytes(), kept)),
                        SlotUse::plus);
            }
        }
        return sums;
    }

    /** Returns the root of each slot that most clients' calls are about, as far as they said. */
    Map<Integer, HotRoot> roots() {
        Map<Integer, Map<String, Long>> calls = new TreeMap<>();
        for (Kept kept : latest()) {
            for (SlotTraffic slot : kept.report().slots()) {
                if (!slot.root().isEmpty()) {
                    calls.computeIfAbsent(slot.slot(), first -> new TreeMap<>())
                            .merge(slot.root(), perMinute(slot.rootCalls(), kept), Long::sum);
                }
            }
        }
        Map<Integer, HotRoot> hottest = new TreeMap<>();
        calls.forEach((slot, byRoot) -> byRoot.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .ifPresent(most -> hottest.put(slot, new HotRoot(printable(most.getKey()), most.getValue()))));
        return hottest;
    }

    /** Returns which keys are read most, summed over the clients. */
    HotReadsOfClients hotReads() {
        Map<List<String>, HotLoad> keys = new HashMap<>();
        Map<String, Long> ofCaches = new TreeMap<>();
        Map<String, Map<String, Long>> ofClients = new TreeMap<>();
        for (Kept kept : latest()) {
            for (HotTraffic told : kept.report().hot()) {
                String cache = printable(told.cache());
                String text = printable(told.key());
                keys.merge(
                        List.of(cache, text),
                        new HotLoad(
                                cache,
                                text,
                                told.slot(),
                                perMinute(told.reads(), kept),
                                perMinute(told.error(), kept),
                                1),
                        HotLoad::plus);
                ofClients
                        .computeIfAbsent(kept.client(), first -> new TreeMap<>())
                        .merge(cache, perMinute(told.ofAll(), kept), Math::max);
            }
        }
        ofClients.values().forEach(one -> one.forEach((cache, reads) -> ofCaches.merge(cache, reads, Long::sum)));
        List<HotLoad> hottest = keys.values().stream()
                .sorted(Comparator.comparingLong(HotLoad::reads)
                        .reversed()
                        .thenComparing(HotLoad::cache)
                        .thenComparing(HotLoad::key))
                .toList();
        return new HotReadsOfClients(hottest, ofCaches);
    }

    /**
     * Returns what clients have told of their caches. A client tells all partitions the same, so of each client one report
     * counts: the newest that tells of caches, if it is not from a time before its newest report.
     */
    ToldCaches caches() {
        Map<String, CacheUse> caches = new TreeMap<>();
        Map<String, Long> journals = new TreeMap<>();
        int unnamed = 0;
        int brokenLinks = 0;
        Map<String, Kept> ofClients = new TreeMap<>();
        latest().stream()
                .filter(kept -> !kept.report().caches().isEmpty())
                .forEach(kept -> ofClients.merge(
                        kept.client(), kept, (one, other) -> one.ageMillis() <= other.ageMillis() ? one : other));
        for (Kept kept : ofClients.values()) {
            CachesReport told = kept.report().caches();
            told.caches()
                    .forEach(cache -> caches.merge(
                            printable(cache.cache()),
                            CacheUse.of(cache, MINUTE_MILLIS / kept.report().millis()),
                            CacheUse::plus));
            told.journals().forEach((partition, owed) -> journals.merge(printable(partition), (long) owed, Long::sum));
            unnamed += told.unnamed();
            brokenLinks += told.brokenLinks();
        }
        return new ToldCaches(caches, journals, ofClients.size(), unnamed, brokenLinks);
    }

    /** Whoever may write to an instance may write there what a terminal takes for orders. */
    private static String printable(String root) {
        return root.replaceAll("[\\p{Cc}\\p{Cf}]", "?");
    }

    /** Returns the calls, a minute, of slots for which there was no room in the reports. */
    long unnamedCalls() {
        return latest().stream()
                .mapToLong(kept -> perMinute(kept.report().otherCalls(), kept))
                .sum();
    }

    private static long perMinute(long amount, Kept kept) {
        return Math.round(amount * (MINUTE_MILLIS / kept.report().millis()));
    }
}
