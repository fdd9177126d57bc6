// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What one client tells of its caches, whatever partition it tells: the caches during the time of its report, and what is open at
 * this moment. Immutable, and bounded in bytes: of more caches than it has room for, it has those that were used most.
 *
 * @param caches in the order of their names, each once
 * @param unnamed how many caches were used and are not among these
 * @param journals by partition, the deletions that this client owes it; where it owes none, there is nothing
 * @param brokenLinks partitions that do not tell this client of changes now, though it has near caches
 */
public record CachesReport(List<CacheTraffic> caches, int unnamed, Map<String, Integer> journals, int brokenLinks) {
    /** Nothing is told. */
    public static final CachesReport NONE = new CachesReport(List.of(), 0, Map.of(), 0);

    /** The caches of a report. */
    public static final int MOST_CACHES = 64;

    /** The partitions whose journals are told: those that are owed most. */
    public static final int MOST_JOURNALS = 64;

    /** Caches and partitions with longer names, in characters, are not named. */
    public static final int LONGEST_NAME = 256;

    /** A report is never larger; mostly, it needs 30 bytes for a cache. */
    public static final int MOST_BYTES = 128 * 1024;

    private static final byte FORMAT = 1;

    public CachesReport {
        caches = List.copyOf(caches);
        journals = Map.copyOf(journals);
        if (unnamed < 0 || brokenLinks < 0 || journals.values().stream().anyMatch(owed -> owed < 1)) {
            throw new IllegalArgumentException(
                    "Nothing in a report is negative, and a journal that is told has something");
        }
    }

    /** Returns the report of what was counted, within the bounds; caches in which nothing has happened are left out. */
    public static CachesReport of(List<CacheTraffic> counted, Map<String, Integer> journals, int brokenLinks) {
        List<CacheTraffic> used =
                counted.stream().filter(cache -> !cache.isQuiet()).toList();
        List<CacheTraffic> named = used.stream()
                .filter(cache -> cache.cache().length() <= LONGEST_NAME)
                .sorted(Comparator.comparingLong(CacheTraffic::busy).reversed().thenComparing(CacheTraffic::cache))
                .limit(MOST_CACHES)
                .sorted(Comparator.comparing(CacheTraffic::cache))
                .toList();
        Map<String, Integer> owed = new TreeMap<>();
        journals.entrySet().stream()
                .filter(journal -> journal.getValue() > 0 && journal.getKey().length() <= LONGEST_NAME)
                .sorted(Map.Entry.<String, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_JOURNALS)
                .forEach(journal -> owed.put(journal.getKey(), journal.getValue()));
        return new CachesReport(named, used.size() - named.size(), owed, brokenLinks);
    }

    /** Returns whether there is nothing to tell. */
    public boolean isEmpty() {
        return equals(NONE);
    }

    /** Returns the bytes of the report; none if there is nothing to tell. */
    public byte[] bytes() {
        if (isEmpty()) {
            return new byte[0];
        }
        ReportWriter out = new ReportWriter(FORMAT);
        out.write(caches.size());
        caches.forEach(cache -> cache.write(out));
        out.write(unnamed);
        out.write(journals.size());
        new TreeMap<>(journals).forEach((partition, owed) -> {
            out.write(partition);
            out.write(owed);
        });
        out.write(brokenLinks);
        return out.bytes();
    }

    /** Reads the bytes of a report; empty if they are none, or those of a newer version. */
    public static Optional<CachesReport> read(byte[] bytes) {
        return bytes.length == 0 ? Optional.of(NONE) : ReportReader.read(bytes, MOST_BYTES, CachesReport::read);
    }

    private static CachesReport read(ReportReader in) {
        if (in.format() != FORMAT) {
            throw new IllegalArgumentException("another format");
        }
        List<CacheTraffic> caches = new ArrayList<>();
        int count = in.count(MOST_CACHES);
        for (int i = 0; i < count; i++) {
            caches.add(CacheTraffic.read(in));
        }
        int unnamed = in.count(Integer.MAX_VALUE);
        Map<String, Integer> journals = new TreeMap<>();
        int partitions = in.count(MOST_JOURNALS);
        for (int i = 0; i < partitions; i++) {
            journals.put(in.text(), in.count(Integer.MAX_VALUE));
        }
        return new CachesReport(caches, unnamed, journals, in.count(Integer.MAX_VALUE));
    }
}
