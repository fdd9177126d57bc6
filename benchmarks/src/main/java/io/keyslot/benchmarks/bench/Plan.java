// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.contender.Lifetime;
import io.keyslot.benchmarks.workload.Workload;
import java.time.Duration;
import java.util.List;

/**
 * The measurements of a run, with times in seconds. In each round, each contender has its own JVM for all its
 * workloads, so a slow minute of the machine affects all contenders and one round.
 */
record Plan(
        List<ContenderType> contenders,
        List<Workload> workloads,
        int rounds,
        int warmUp,
        int seconds,
        Lifetime lifetime) {
    /** The first workload of a JVM also warms up shared code. */
    private static final int FIRST_WARM_UP = 3;

    private static final int MOST_ROUNDS = 99;
    private static final int MOST_SECONDS = 60;

    /** For the estimate: to start and end a JVM, and to open and fill a cache. */
    private static final int MILLIS_OF_A_JVM = 3_000;

    private static final int MILLIS_OF_A_WORKLOAD = 400;

    Plan {
        contenders = contenders.stream().distinct().toList();
        workloads = workloads.stream().distinct().toList();
        require("rounds", rounds, MOST_ROUNDS);
        require("warm-up", warmUp, MOST_SECONDS);
        require("seconds", seconds, MOST_SECONDS);
        if (measurements(contenders, workloads, 1) == 0) {
            throw new IllegalArgumentException(
                    "operations: there is nothing to measure, as none of these contenders can do any of them");
        }
    }

    private static void require(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException("%s is %d, must be 1 to %d".formatted(name, value, most));
        }
    }

    List<Workload> workloadsOf(ContenderType contender) {
        return workloads.stream()
                .filter(workload -> contender.operations().contains(workload.operation()))
                .toList();
    }

    int firstWarmUp() {
        return Math.max(FIRST_WARM_UP, warmUp);
    }

    int measurements() {
        return measurements(contenders, workloads, rounds);
    }

    private static int measurements(List<ContenderType> contenders, List<Workload> workloads, int rounds) {
        long possible = contenders.stream()
                .flatMap(contender -> workloads.stream()
                        .filter(workload -> contender.operations().contains(workload.operation())))
                .count();
        return Math.toIntExact(rounds * possible);
    }

    Duration estimate() {
        Duration workload = Duration.ofSeconds(warmUp + seconds).plusMillis(MILLIS_OF_A_WORKLOAD);
        Duration jvm = Duration.ofSeconds(firstWarmUp() - warmUp).plusMillis(MILLIS_OF_A_JVM);
        return workload.multipliedBy(measurements()).plus(jvm.multipliedBy((long) rounds * contenders.size()));
    }

    String method() {
        return "%s of %d s after %d s, each contender in a JVM of its own in each round.%s"
                .formatted(
                        rounds == 1 ? "1 round" : "Medians of " + rounds + " rounds",
                        seconds,
                        warmUp,
                        lifetime == Lifetime.MODIFIED ? "" : " Lifetime: %s.".formatted(Workload.name(lifetime)));
    }
}
