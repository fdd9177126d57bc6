// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.benchmarks.move.Tally.Kind;
import io.keyslot.benchmarks.move.Tally.Sort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What all processes have counted. Not safe for use by several threads. */
public final class LoadReport {
    private final Map<Sort, Latencies> calls = new HashMap<>();
    private final Map<String, Long> sums = new HashMap<>();
    private final List<String> complaints = new ArrayList<>();

    /**
     * How long calls took.
     *
     * @param count of all processes
     * @param nanos of all calls together
     * @param p50 nanoseconds; this and those below are those of the process that was worst
     */
    public record Latencies(long count, long nanos, long p50, long p99, long p999, long longest) {
        static final Latencies NONE = new Latencies(0, 0, 0, 0, 0, 0);

        Latencies and(Latencies other) {
            return new Latencies(
                    count + other.count,
                    nanos + other.nanos,
                    Math.max(p50, other.p50),
                    Math.max(p99, other.p99),
                    Math.max(p999, other.p999),
                    Math.max(longest, other.longest));
        }

        /** Returns the mean of a call in nanoseconds. */
        public double mean() {
            return count == 0 ? Double.NaN : (double) nanos / count;
        }
    }

    /** Reads a line of {@link Tally}. */
    void add(String line) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "calls" ->
                calls.merge(
                        new Sort(words[1], words[2].equals("moving"), Kind.valueOf(words[3])),
                        new Latencies(
                                Long.parseLong(words[4]),
                                Long.parseLong(words[5]),
                                Long.parseLong(words[6]),
                                Long.parseLong(words[7]),
                                Long.parseLong(words[8]),
                                Long.parseLong(words[9])),
                        Latencies::and);
            case "sum" -> sums.merge(words[1], Long.parseLong(words[2]), Long::sum);
            case "complaint" -> complaints.add(line.substring("complaint ".length()));
            default -> {}
        }
    }

    /** Returns a number of things that were counted. */
    public long sum(String name) {
        return sums.getOrDefault(name, 0L);
    }

    void put(String name, long sum) {
        sums.merge(name, sum, Long::sum);
    }

    /** Returns the first things that were wrong. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** Returns the calls of these sorts together. */
    Latencies of(Predicate<Sort> wanted) {
        return calls.entrySet().stream()
                .filter(each -> wanted.test(each.getKey()))
                .map(Map.Entry::getValue)
                .reduce(Latencies.NONE, Latencies::and);
    }
}
