// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import java.util.Comparator;

/**
 * What all contenders of one table do.
 *
 * @param operation the name of the benchmark's method: {@code get}
 * @param value the size of the values: {@code small}
 * @param keys how keys are chosen: {@code uniform}
 * @param threads how many threads call at the same time
 */
public record Workload(String operation, String value, String keys, int threads) implements Comparable<Workload> {
    private static final Comparator<Workload> ORDER = Comparator.comparing(Workload::operation)
            .thenComparing(Workload::value)
            .thenComparing(Workload::keys)
            .thenComparingInt(Workload::threads);

    public Workload {
        if (threads < 1) {
            throw new IllegalArgumentException("Workload: threads is %d, must be at least 1".formatted(threads));
        }
    }

    @Override
    public int compareTo(Workload other) {
        return ORDER.compare(this, other);
    }

    /** Returns the heading of its table: {@code get, 8 threads, small values, uniform keys}. */
    public String title() {
        String callers = threads == 1 ? "1 thread" : threads + " threads";
        return "%s, %s, %s values, %s keys".formatted(operation, callers, value, keys);
    }
}
