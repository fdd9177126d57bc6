// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import java.util.Locale;

/** A workload for all contenders of one table. */
public record Workload(Operation operation, ValueSize value, KeyChoice keys, int threads) {
    private static final String SEPARATOR = ":";
    private static final int MOST_THREADS = 256;
    private static final int ENTRIES = 100_000;

    /** For large values: as many as fit a JVM with a common heap size. */
    private static final int LARGE_ENTRIES = 10_000;

    public Workload {
        if (threads < 1 || threads > MOST_THREADS) {
            throw new IllegalArgumentException("threads is %d, must be 1 to %d".formatted(threads, MOST_THREADS));
        }
    }

    /** Parses the form of {@link #toString}. */
    public static Workload parse(String text) {
        String[] parts = text.split(SEPARATOR, -1);
        return new Workload(
                Operation.valueOf(parts[0]),
                ValueSize.valueOf(parts[1]),
                KeyChoice.valueOf(parts[2]),
                Integer.parseInt(parts[3]));
    }

    public int entries() {
        return value == ValueSize.KIB_8 ? LARGE_ENTRIES : ENTRIES;
    }

    /** Returns the heading of its table: {@code get, 8 threads, bytes_200 values, uniform keys}. */
    public String title() {
        String callers = threads == 1 ? "1 thread" : threads + " threads";
        return "%s, %s, %s values, %s keys".formatted(operation.method(), callers, name(value), name(keys));
    }

    public static String name(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return String.join(SEPARATOR, operation.name(), value.name(), keys.name(), Integer.toString(threads));
    }
}
