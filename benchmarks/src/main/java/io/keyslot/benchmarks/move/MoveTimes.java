// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.cluster.move.MoveProgress;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The final progress, the step durations, and the cutovers of one move. */
record MoveTimes(MoveProgress end, Map<MoveProgress.Step, Long> nanos, List<OutboxEntry> handovers) {
    /** A cutover with its times without writes and reads; slots are 0 if it was reverted. */
    record OutboxEntry(int slots, Duration writes, Duration reads) {
        OutboxEntry with(int more) {
            return new OutboxEntry(slots + more, writes, reads);
        }
    }

    MoveTimes {
        handovers = List.copyOf(handovers);
    }

    /** Returns the times without writes. */
    List<Duration> pauses() {
        return handovers.stream().map(OutboxEntry::writes).toList();
    }

    /** Returns a percentile of the pauses over slots, in milliseconds; 0 if there were none. */
    static double percentileOfSlots(List<OutboxEntry> handovers, double part, Function<OutboxEntry, Duration> pause) {
        List<OutboxEntry> sorted =
                handovers.stream().sorted(Comparator.comparing(pause)).toList();
        double wanted = part * sorted.stream().mapToInt(OutboxEntry::slots).sum();
        int seen = 0;
        for (OutboxEntry each : sorted) {
            seen += each.slots();
            if (seen >= wanted && each.slots() > 0) {
                return pause.apply(each).toNanos() / (double) TimeUnit.MILLISECONDS.toNanos(1);
            }
        }
        return 0;
    }

    double seconds(MoveProgress.Step step) {
        return nanos.getOrDefault(step, 0L) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    double seconds() {
        return nanos.keySet().stream()
                .filter(step -> step != MoveProgress.Step.OVER)
                .mapToDouble(this::seconds)
                .sum();
    }

    /** Returns a percentile of the pauses in milliseconds; 0 if there were none. */
    static double percentile(List<Duration> pauses, double part) {
        List<Duration> sorted = pauses.stream().sorted().toList();
        int index = (int) Math.ceil(part * sorted.size()) - 1;
        return sorted.isEmpty()
                ? 0
                : sorted.get(Math.max(0, index)).toNanos() / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
}
