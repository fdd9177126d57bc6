// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.report.Measurement;
import io.keyslot.benchmarks.server.BenchmarkServers;
import io.keyslot.cluster.terminal.ProgressBar;
import io.keyslot.cluster.terminal.Terminal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Measures builds that take turns: in each round, every build has a JVM of its own, all of them are there at the same time,
 * and one of them runs. Not safe for use by several threads.
 *
 * @param builds where the classes of each build are, by its name in tables
 * @param rounds how often JVMs are started, as each compiles its code a little differently
 * @param turns how often each JVM runs in a round
 */
record SafetyRounds(Map<String, List<Path>> builds, int rounds, int turns) {
    static final Duration TURN = Duration.ofMillis(200);
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final int ENTRIES = 20_000;
    private static final int MOST = 100;

    SafetyRounds {
        check("rounds", rounds);
        check("turns", turns);
    }

    private static void check(String name, int number) {
        if (number < 1 || number > MOST) {
            throw new IllegalArgumentException("%s is %d, must be 1 to %d".formatted(name, number, MOST));
        }
    }

    /** Returns how it is measured, as a sentence. */
    String method() {
        return "%d turns of %d ms in each of %d rounds; the builds take turns, each in a JVM of its own."
                .formatted(turns, TURN.toMillis(), rounds);
    }

    /** Measures all builds with one engine. */
    List<Measurement> run(SafetyEngine engine, BenchmarkServers servers, Path logs, Terminal terminal) {
        List<Measurement> measurements = new ArrayList<>();
        try (ProgressBar progress = new ProgressBar(terminal, "measuring", (long) rounds * (turns + builds.size()))) {
            for (int round = 0; round < rounds; round++) {
                List<TurnsJvm> jvms = new ArrayList<>();
                try {
                    builds.forEach((label, classes) -> {
                        jvms.add(warm(label, classes, engine, jvms.size() * ENTRIES, servers, logs));
                        progress.advance(1);
                    });
                    for (int turn = 0; turn < turns; turn++) {
                        jvms.forEach(jvm -> measurements.add(jvm.turn(TURN)));
                        progress.advance(1);
                    }
                } finally {
                    jvms.forEach(TurnsJvm::close);
                }
            }
        }
        return measurements;
    }

    private static TurnsJvm warm(
            String label, List<Path> classes, SafetyEngine engine, int firstId, BenchmarkServers servers, Path logs) {
        TurnsJvm jvm = TurnsJvm.start(
                label, classes, engine, firstId, ENTRIES, servers, logs.resolve(label.replace(' ', '-') + ".log"));
        try {
            jvm.turn(WARM_UP);
            return jvm;
        } catch (RuntimeException e) {
            jvm.close();
            throw e;
        }
    }
}
