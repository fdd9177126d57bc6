// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.report.Workload;
import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.ValueSize;
import java.util.Locale;

/** What is measured of every contender: one table of the report. */
record Cell(BenchOperation operation, ValueSize value, KeyChoice keys, int threads) {
    private static final String SEPARATOR = ":";
    private static final int MOST_THREADS = 256;
    private static final int ENTRIES = 100_000;

    /** Large values: as many as a JVM with a heap of usual size can hold. */
    private static final int LARGE_ENTRIES = 10_000;

    Cell {
        if (threads < 1 || threads > MOST_THREADS) {
            throw new IllegalArgumentException("threads is %d, must be 1 to %d".formatted(threads, MOST_THREADS));
        }
    }

    /** Reads the form that {@link #toString} writes. */
    static Cell parse(String text) {
        String[] parts = text.split(SEPARATOR, -1);
        return new Cell(
                BenchOperation.valueOf(parts[0]),
                ValueSize.valueOf(parts[1]),
                KeyChoice.valueOf(parts[2]),
                Integer.parseInt(parts[3]));
    }

    /** Returns how many entries there are. */
    int entries() {
        return value == ValueSize.KIB_8 ? LARGE_ENTRIES : ENTRIES;
    }

    Workload workload() {
        return new Workload(operation.method(), lowerCase(value), lowerCase(keys), threads);
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return String.join(SEPARATOR, operation.name(), value.name(), keys.name(), Integer.toString(threads));
    }
}
