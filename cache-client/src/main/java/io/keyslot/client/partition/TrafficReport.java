// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The sampled traffic of one client at one partition over some time, and the totals of the client. Immutable. Its size is
 * bounded: it keeps the slots, groups, keys and caches with the most calls; {@code otherCalls} are those of omitted slots.
 */
public record TrafficReport(long millis, List<Slot> slots, long otherCalls, List<Named> named, Totals totals) {
    public static final int MOST_SLOTS = 8_192;

    /** The maximum number of groups, and of keys, of a report. */
    public static final int MOST_NAMED = 32;

    /** The maximum number of caches of a report. */
    public static final int MOST_CACHES = 256;

    /** The maximum size of a report. A slot usually needs about 18 bytes. */
    public static final int MOST_BYTES = 512 * 1024;

    private static final String GROUP = "g";
    private static final String KEY = "k";
    private static final String CACHE = "c";
    private static final String LATENCY = "l";

    public TrafficReport {
        slots = List.copyOf(slots);
        named = List.copyOf(named);
        if (millis < 1 || otherCalls < 0) {
            throw new IllegalArgumentException("A report is about some time, and nothing in it is negative");
        }
    }

    /**
     * The approximate traffic of one slot: the commands that named a key of it (each key of a bulk call counts), and
     * the bytes of their keys and values, sent and received.
     */
    public record Slot(int slot, long calls, long bytes) {
        public Slot {
            if (slot < 0 || calls < 0 || bytes < 0) {
                throw new IllegalArgumentException("The traffic of a slot is never negative");
            }
        }
    }

    /**
     * A frequently used group or key. Its name is the stored key, with control characters replaced by question marks.
     */
    public record Named(String name, int slot, boolean isGroup, long calls) {
        public Named {
            name = printable(name);
            if (slot < 0 || calls < 0) {
                throw new IllegalArgumentException("The traffic of a key is never negative");
            }
        }
    }

    /**
     * What a client did as a whole, the same in its reports to all partitions, so that a missing one conceals nothing.
     * {@code latencies} are those of sampled calls, in the buckets of {@code LatencyHistogram}; {@code pendingDeletes} are
     * the deletions that wait for missing partitions.
     */
    public record Totals(List<CacheCalls> caches, Map<Integer, Long> latencies, long pendingDeletes) {
        public static final Totals NONE = new Totals(List.of(), Map.of(), 0);

        public Totals {
            caches = caches.stream()
                    .sorted(Comparator.comparingLong(CacheCalls::all).reversed().thenComparing(CacheCalls::name))
                    .limit(MOST_CACHES)
                    .toList();
            latencies = Map.copyOf(latencies);
            if (pendingDeletes < 0 || latencies.values().stream().anyMatch(count -> count < 0)) {
                throw new IllegalArgumentException("Nothing in the totals of a client is negative");
            }
        }
    }

    /** The entries of a cache that were found, not found, stored, removed, and the calls of its loader. */
    public record CacheCalls(String name, long hits, long misses, long puts, long removals, long loads) {
        public static final CacheCalls NONE = new CacheCalls("", 0, 0, 0, 0, 0);

        public CacheCalls {
            name = printable(name);
            if (Math.min(Math.min(hits, misses), Math.min(puts, Math.min(removals, loads))) < 0) {
                throw new IllegalArgumentException("The calls of a cache are never negative");
            }
        }

        public long all() {
            return hits + misses + puts + removals;
        }

        public CacheCalls plus(CacheCalls other) {
            return new CacheCalls(
                    name,
                    hits + other.hits,
                    misses + other.misses,
                    puts + other.puts,
                    removals + other.removals,
                    loads + other.loads);
        }
    }

    private static String printable(String name) {
        return name.replaceAll("[\\p{Cc}\\p{Cf}]", "?");
    }

    /** Returns the report of these counts, within the bounds. */
    public static TrafficReport of(long millis, List<Slot> counted, List<Named> named, Totals totals) {
        List<Slot> slots = counted.stream()
                .sorted(Comparator.comparingLong(Slot::calls).reversed().thenComparingInt(Slot::slot))
                .limit(MOST_SLOTS)
                .toList();
        return new TrafficReport(
                Math.max(1, millis),
                slots,
                callsOf(counted) - callsOf(slots),
                Stream.concat(most(named, Named::isGroup), most(named, key -> !key.isGroup()))
                        .toList(),
                totals);
    }

    private static Stream<Named> most(List<Named> named, Predicate<Named> wanted) {
        return named.stream()
                .filter(wanted)
                .sorted(Comparator.comparingLong(Named::calls).reversed().thenComparing(Named::name))
                .limit(MOST_NAMED);
    }

    private static long callsOf(List<Slot> slots) {
        return slots.stream().mapToLong(Slot::calls).sum();
    }

    /** Returns the encoded report: a header line, then one line for each slot, group, key, cache and bucket. */
    public byte[] bytes() {
        StringBuilder text = new StringBuilder(millis + " " + otherCalls + " " + totals.pendingDeletes() + "\n");
        slots.forEach(slot -> text.append(slot.slot() + " " + slot.calls() + " " + slot.bytes() + "\n"));
        named.forEach(each -> text.append(
                (each.isGroup() ? GROUP : KEY) + " " + each.slot() + " " + each.calls() + " " + each.name() + "\n"));
        totals.caches()
                .forEach(each -> text.append("%s %d %d %d %d %d %s\n"
                        .formatted(
                                CACHE,
                                each.hits(),
                                each.misses(),
                                each.puts(),
                                each.removals(),
                                each.loads(),
                                each.name())));
        totals.latencies().forEach((bucket, calls) -> text.append(LATENCY + " " + bucket + " " + calls + "\n"));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Decodes a report; empty if it is malformed. Other software may write the key, so nothing in it is trusted. */
    public static Optional<TrafficReport> read(byte[] bytes) {
        if (bytes.length > MOST_BYTES) {
            return Optional.empty();
        }
        try {
            String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", -1);
            String[] first = lines[0].split(" ", -1);
            List<Slot> slots = new ArrayList<>();
            List<Named> named = new ArrayList<>();
            List<CacheCalls> caches = new ArrayList<>();
            Map<Integer, Long> latencies = new TreeMap<>();
            for (String line : List.of(lines).subList(1, lines.length - 1)) {
                String[] words = line.split(" ", 4);
                if (words[0].equals(GROUP) || words[0].equals(KEY)) {
                    named.add(new Named(
                            words[3], Integer.parseInt(words[1]), words[0].equals(GROUP), Long.parseLong(words[2])));
                } else if (words[0].equals(CACHE)) {
                    caches.add(cacheCalls(line.split(" ", 7)));
                } else if (words[0].equals(LATENCY)) {
                    latencies.put(Integer.parseInt(words[1]), Long.parseLong(words[2]));
                } else {
                    slots.add(new Slot(Integer.parseInt(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2])));
                }
            }
            Totals totals = new Totals(caches, latencies, Long.parseLong(first[2]));
            return Optional.of(
                    new TrafficReport(Long.parseLong(first[0]), slots, Long.parseLong(first[1]), named, totals));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static CacheCalls cacheCalls(String[] words) {
        return new CacheCalls(
                words[6],
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]));
    }
}
