// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.report.Comparison;
import io.keyslot.benchmarks.report.ComparisonTable;
import io.keyslot.benchmarks.report.Measurement;
import io.keyslot.benchmarks.report.RunFacts;
import io.keyslot.benchmarks.server.BenchmarkServers;
import io.keyslot.cluster.terminal.Terminal;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** What a command that measures has while it runs: servers, and a directory for logs. Not safe for use by several threads. */
final class BenchRun implements AutoCloseable {
    private static final int SERVERS = 3;

    private final BenchmarkServers servers;
    private final LogDirectory logs;
    private final Terminal terminal;
    private final InstantSource clock;
    private final List<String> failures = new ArrayList<>();

    private BenchRun(BenchmarkServers servers, LogDirectory logs, Terminal terminal, InstantSource clock) {
        this.servers = servers;
        this.logs = logs;
        this.terminal = terminal;
        this.clock = clock;
    }

    /** Starts the servers. */
    static BenchRun start(Terminal terminal, InstantSource clock) {
        return new BenchRun(BenchmarkServers.start(SERVERS), LogDirectory.create(), terminal, clock);
    }

    /** Returns with what and how it is measured. */
    RunFacts facts(String command, String method) {
        return Facts.of(clock.instant(), command, servers, method);
    }

    /** Carries out a plan. */
    List<Measurement> measure(Plan plan) {
        terminal.err()
                .println("%d measurements of %d contenders: about %d min"
                        .formatted(
                                plan.measurements(),
                                plan.contenders().size(),
                                plan.estimate().toMinutes() + 1));
        Bench bench = new Bench(plan, servers, logs.path(), terminal);
        bench.run();
        failures.addAll(bench.failures());
        return bench.measurements();
    }

    /** Prints the tables, and writes the files that are wanted. */
    void report(RunFacts facts, List<Comparison> comparisons, ReportFiles files) {
        PrintWriter out = terminal.out();
        out.println(facts.line());
        out.println(ComparisonTable.LEGEND);
        for (Comparison comparison : comparisons) {
            out.println();
            ComparisonTable.lines(comparison).forEach(out::println);
        }
        out.flush();
        files.write(facts, comparisons);
    }

    /** Says what could not be measured, and returns the exit code. The logs stay if there is such a thing. */
    int finish() {
        if (failures.isEmpty()) {
            logs.remove();
        }
        failures.forEach(failure -> terminal.err().println("keyslot: Not measured: " + failure));
        return failures.isEmpty() ? 0 : 1;
    }

    @Override
    public void close() {
        servers.close();
    }
}
