// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * How long calls took, and which of them failed.
 *
 * @param operations what this is about, which may be a part of a history
 */
public record CallTimes(List<Operation> operations) {
    private static final int SHOWN = 10;
    private static final double MILLIS = 1e6;

    public CallTimes {
        operations = List.copyOf(operations);
    }

    /** Returns those that began between two moments. */
    public CallTimes between(long start, long end) {
        return new CallTimes(operations.stream()
                .filter(operation -> operation.start() >= start && operation.start() < end)
                .toList());
    }

    public CallTimes ofProcess(String process) {
        return new CallTimes(operations.stream()
                .filter(operation -> operation.process().equals(process))
                .toList());
    }

    /** Returns only those that change nothing. */
    public CallTimes reads() {
        return new CallTimes(operations.stream()
                .filter(operation -> operation.action().isRead())
                .toList());
    }

    /** Returns only those that are to change something. */
    public CallTimes changes() {
        return new CallTimes(operations.stream()
                .filter(operation -> !operation.action().isRead())
                .toList());
    }

    /**
     * Returns the calls that took longer than a bound, the slowest first, not more than ten. The time in which the machine
     * stalled is not theirs.
     */
    public List<String> slowerThan(Duration bound, List<Period> stalls) {
        return operations.stream()
                .filter(operation -> operation.nanos() > bound.toNanos())
                .filter(operation -> operation.nanos() - stalled(operation, stalls) > bound.toNanos())
                .sorted(Comparator.comparingLong(Operation::nanos).reversed())
                .limit(SHOWN)
                .map(operation -> String.format(Locale.ROOT, "%.1f ms: %s", operation.nanos() / MILLIS, operation))
                .toList();
    }

    private static long stalled(Operation operation, List<Period> stalls) {
        return stalls.stream().mapToLong(stall -> stall.nanosWithin(operation)).sum();
    }

    /** Returns the calls that ended with an exception, not more than ten. */
    public List<Operation> failures() {
        return operations.stream()
                .filter(operation -> operation.outcome() != Outcome.OK)
                .limit(SHOWN)
                .toList();
    }

    /** Returns the share of failed calls and the times of all, in words. */
    @Override
    public String toString() {
        long[] nanos = operations.stream().mapToLong(Operation::nanos).sorted().toArray();
        if (nanos.length == 0) {
            return "no calls";
        }
        long failed = operations.stream()
                .filter(operation -> operation.outcome() != Outcome.OK)
                .count();
        return String.format(
                Locale.ROOT,
                "%d calls, %.2f %% failed, p50 %.2f ms, p99 %.2f ms, slowest %.1f ms",
                nanos.length,
                100.0 * failed / nanos.length,
                percentile(nanos, 0.5),
                percentile(nanos, 0.99),
                Arrays.stream(nanos).max().orElse(0) / MILLIS);
    }

    private static double percentile(long[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * share))] / MILLIS;
    }
}
