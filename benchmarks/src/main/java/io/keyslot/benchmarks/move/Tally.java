// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.cluster.measure.LatencyHistogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** What a process counts: calls by phase, by whether their slot was moving, and by kind; and what was wrong. Safe for use by several threads. */
final class Tally {
    /** What a call does. */
    enum Kind {
        READ,
        WRITE
    }

    /** The calls of one sort. */
    record Sort(String phase, boolean isMoving, Kind kind) {}

    private static final int MOST_COMPLAINTS = 20;

    private final Map<Sort, Calls> calls = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> sums = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> complaints = new ConcurrentLinkedQueue<>();

    private static final class Calls {
        private final LatencyHistogram latencies = new LatencyHistogram();
        private final LongAdder nanos = new LongAdder();
    }

    void call(Sort sort, long nanos) {
        Calls of = calls.computeIfAbsent(sort, each -> new Calls());
        of.latencies.record(nanos);
        of.nanos.add(nanos);
    }

    void add(String name, long amount) {
        sums.computeIfAbsent(name, each -> new LongAdder()).add(amount);
    }

    /** Counts something that must not be, and keeps the first few. */
    void complain(String name, String text) {
        add(name, 1);
        if (complaints.size() < MOST_COMPLAINTS) {
            complaints.add(name + ": " + text);
        }
    }

    /** Returns lines that {@link LoadReport} reads. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        calls.forEach((sort, of) -> lines.add(String.join(
                " ",
                "calls",
                sort.phase(),
                sort.isMoving() ? "moving" : "stable",
                sort.kind().name(),
                Long.toString(of.latencies.count()),
                Long.toString(of.nanos.sum()),
                Long.toString(of.latencies.percentile(0.5)),
                Long.toString(of.latencies.percentile(0.99)),
                Long.toString(of.latencies.percentile(0.999)),
                Long.toString(of.latencies.longest()))));
        sums.forEach((name, sum) -> lines.add("sum " + name + " " + sum.sum()));
        complaints.forEach(text -> lines.add("complaint " + text.replace('\n', ' ')));
        return lines;
    }
}
