// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.report.Measurement;
import io.keyslot.benchmarks.server.BenchmarkServers;
import io.keyslot.benchmarks.workload.Workload;
import io.keyslot.cluster.terminal.ProgressBar;
import io.keyslot.cluster.terminal.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Carries out a plan on its own servers, with a directory for logs. Not safe for use by several threads. */
final class Bench implements AutoCloseable {
    private static final int SERVERS = 3;

    private static final int LABEL = 20;

    private final Plan plan;
    private final BenchmarkServers servers;
    private final Path logs;
    private final Terminal terminal;
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    private Bench(Plan plan, BenchmarkServers servers, Path logs, Terminal terminal) {
        this.plan = plan;
        this.servers = servers;
        this.logs = logs;
        this.terminal = terminal;
    }

    static Bench start(Plan plan, Terminal terminal) {
        try {
            // Mentioned to the user only after a failure.
            Path logs = Files.createTempDirectory("keyslot-bench-");
            BenchmarkServers servers = BenchmarkServers.start(SERVERS);
            return new Bench(plan, servers, logs, terminal);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create a directory for logs", e);
        }
    }

    BenchmarkServers servers() {
        return servers;
    }

    List<Measurement> run() {
        terminal.err()
                .println("%d measurements of %d contenders: about %d min"
                        .formatted(
                                plan.measurements(),
                                plan.contenders().size(),
                                plan.estimate().toMinutes() + 1));
        try (ProgressBar progress = new ProgressBar(terminal, "measuring", plan.measurements())) {
            for (int round = 0; round < plan.rounds(); round++) {
                plan.contenders().forEach(contender -> run(contender, progress));
            }
        }
        return List.copyOf(measurements);
    }

    private void run(ContenderType contender, ProgressBar progress) {
        List<Workload> workloads = plan.workloadsOf(contender);
        if (workloads.isEmpty()) {
            return;
        }
        progress.label(
                contender.label().substring(0, Math.min(LABEL, contender.label().length())));
        List<Workload> missing = new ArrayList<>(workloads);
        int status = new ContenderJvm(servers.property(), plan)
                .measure(contender, workloads, logOf(contender), line -> {
                    line.measurement(contender.label()).ifPresent(measurement -> {
                        measurements.add(measurement);
                        missing.remove(line.workload());
                    });
                    progress.advance(1);
                });
        if (!missing.isEmpty()) {
            failures.add("%d of %d of %s, first %s; its JVM ended with status %d, and its log is %s"
                    .formatted(
                            missing.size(),
                            workloads.size(),
                            contender.label(),
                            missing.get(0).title(),
                            status,
                            logOf(contender)));
        }
    }

    private Path logOf(ContenderType contender) {
        return logs.resolve(contender.label() + ".log");
    }

    /** Prints the failures and returns the exit code. The logs are kept if there were any. */
    int finish() {
        if (failures.isEmpty()) {
            removeLogs();
        }
        failures.forEach(failure -> terminal.err().println("keyslot: Not measured: " + failure));
        return failures.isEmpty() ? 0 : 1;
    }

    private void removeLogs() {
        try (Stream<Path> files = Files.walk(logs)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot remove the logs", e);
        }
    }

    @Override
    public void close() {
        servers.close();
    }
}
