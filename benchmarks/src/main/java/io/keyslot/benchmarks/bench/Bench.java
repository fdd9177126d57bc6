// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.report.Measurement;
import io.keyslot.benchmarks.server.BenchmarkServers;
import io.keyslot.cluster.terminal.ProgressBar;
import io.keyslot.cluster.terminal.Terminal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Carries out a plan on servers that run. Not safe for use by several threads. */
final class Bench {
    /** As many characters as a progress bar has for its label. */
    private static final int LABEL = 20;

    private final Plan plan;
    private final BenchmarkServers servers;
    private final Path logs;
    private final Terminal terminal;
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    /**
     * Creates a run.
     *
     * @param logs the directory for what contenders print
     */
    Bench(Plan plan, BenchmarkServers servers, Path logs, Terminal terminal) {
        this.plan = plan;
        this.servers = servers;
        this.logs = logs;
        this.terminal = terminal;
    }

    /** Measures all contenders in each round. */
    void run() {
        try (ProgressBar progress = new ProgressBar(terminal, "measuring", plan.measurements())) {
            for (int round = 0; round < plan.rounds(); round++) {
                plan.contenders().forEach(contender -> run(contender, progress));
            }
        }
    }

    private void run(ContenderType contender, ProgressBar progress) {
        List<Cell> cells = plan.cellsOf(contender);
        if (cells.isEmpty()) {
            return;
        }
        progress.label(
                contender.label().substring(0, Math.min(LABEL, contender.label().length())));
        List<Cell> missing = new ArrayList<>(cells);
        int status = new ContenderJvm(servers, plan).measure(contender, cells, logOf(contender), line -> {
            line.measurement(contender.label()).ifPresent(measurement -> {
                measurements.add(measurement);
                missing.remove(line.cell());
            });
            progress.advance(1);
        });
        if (!missing.isEmpty()) {
            failures.add("%d of %d of %s, first %s; its JVM ended with status %d, and its log is %s"
                    .formatted(
                            missing.size(),
                            cells.size(),
                            contender.label(),
                            missing.get(0).workload().title(),
                            status,
                            logOf(contender)));
        }
    }

    private Path logOf(ContenderType contender) {
        return logs.resolve(contender.label() + ".log");
    }

    /** Returns what was measured. */
    List<Measurement> measurements() {
        return List.copyOf(measurements);
    }

    /** Returns what could not be measured, a line for each contender and round, with the file that says why. */
    List<String> failures() {
        return List.copyOf(failures);
    }
}
