// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.client.concurrent.LatencyHistogram;
import io.keyslot.slot.SlotSet;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Counts calls by phase, kind, and whether their slot was moving; and errors. Safe for use by several threads. */
final class Tally {
    enum Kind {
        READ,
        WRITE
    }

    record Sort(String phase, boolean isMoving, Kind kind) {}

    private record Phase(String name, BitSet moving) {}

    private static final int MOST_COMPLAINTS = 20;

    private final Map<Sort, Calls> calls = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> sums = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> complaints = new ConcurrentLinkedQueue<>();
    private volatile Phase phase = new Phase("warm-up", new BitSet());

    static final class Calls {
        private final LatencyHistogram latencies = new LatencyHistogram();
        private final LongAdder nanos = new LongAdder();

        LatencyHistogram latencies() {
            return latencies;
        }

        /** Returns the mean in nanoseconds. */
        double mean() {
            return (double) nanos.sum() / latencies.count();
        }
    }

    /** Starts a phase, or changes its moving slots. */
    void phase(String name, SlotSet moving) {
        BitSet slots = new BitSet();
        moving.stream().forEach(slots::set);
        phase = new Phase(name, slots);
    }

    /** Makes a call and counts it. Returns null if it failed. */
    <T> @Nullable T call(Kind kind, int slot, String what, Supplier<@Nullable T> call) {
        Phase now = phase;
        Sort sort = new Sort(now.name(), now.moving().get(slot), kind);
        long from = System.nanoTime();
        try {
            return call.get();
        } catch (CacheException e) {
            complain("failed", what + ": " + e);
            return null;
        } finally {
            long nanos = System.nanoTime() - from;
            Calls of = calls.computeIfAbsent(sort, each -> new Calls());
            of.latencies.record(nanos);
            of.nanos.add(nanos);
        }
    }

    void add(String name, long amount) {
        sums.computeIfAbsent(name, each -> new LongAdder()).add(amount);
    }

    /** Counts an error, and keeps the first few. */
    void complain(String name, String text) {
        add(name, 1);
        if (complaints.size() < MOST_COMPLAINTS) {
            complaints.add(name + ": " + text);
        }
    }

    Calls of(Predicate<Sort> wanted) {
        Calls all = new Calls();
        calls.forEach((sort, each) -> {
            if (wanted.test(sort)) {
                all.latencies.add(each.latencies);
                all.nanos.add(each.nanos.sum());
            }
        });
        return all;
    }

    long sum(String name) {
        LongAdder sum = sums.get(name);
        return sum == null ? 0 : sum.sum();
    }

    List<String> complaints() {
        return List.copyOf(complaints);
    }
}
