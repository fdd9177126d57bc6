// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.cluster.move.MoveProgress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What one move took.
 *
 * @param end how it was in the end
 * @param nanos how long each step took
 * @param pauses for how long some of its slots were not written each time
 */
public record MoveTimes(MoveProgress end, Map<MoveProgress.Step, Long> nanos, List<Duration> pauses) {
    public double seconds(MoveProgress.Step step) {
        return nanos.getOrDefault(step, 0L) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    /** Returns the time of all steps. */
    public double seconds() {
        return nanos.keySet().stream()
                .filter(step -> step != MoveProgress.Step.OVER)
                .mapToDouble(this::seconds)
                .sum();
    }

    /** Returns how long this part of the pauses lasted at most, in milliseconds; 0 if there were none. */
    public static double percentile(List<Duration> pauses, double part) {
        List<Duration> sorted = pauses.stream().sorted().toList();
        int index = (int) Math.ceil(part * sorted.size()) - 1;
        return sorted.isEmpty()
                ? 0
                : sorted.get(Math.max(0, index)).toNanos() / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
}
