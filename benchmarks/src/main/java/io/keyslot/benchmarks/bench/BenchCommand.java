// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.move.MoveCommand;
import io.keyslot.benchmarks.report.Comparison;
import io.keyslot.benchmarks.report.ComparisonTable;
import io.keyslot.benchmarks.report.JsonReport;
import io.keyslot.benchmarks.report.RunFacts;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.cluster.cli.KeyslotCommand;
import io.keyslot.cluster.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "bench",
        description = "Measures Keyslot beside its peers, on three servers that it starts.",
        footer = {
            "Prints a table for each operation and number of threads, the fastest contender first, each relative to"
                    + " lettuce-sync in the same run. The short form takes less than 5 minutes on 2 processors that do"
                    + " nothing else.",
            "  keyslot bench --json bench.json",
            "  keyslot bench --contenders keyslot,jedis --operations get --rounds 5"
        })
final class BenchCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final InstantSource clock;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final PlanOptions options = new PlanOptions();

    @Option(names = "--json", paramLabel = "<file>", description = "Write facts, medians and every round there.")
    private @Nullable Path json;

    BenchCommand(Terminal terminal, InstantSource clock) {
        this.terminal = terminal;
        this.clock = clock;
    }

    /** Runs {@code bench} or another command and exits with its code. */
    public static void main(String[] arguments) {
        Terminal terminal = Terminal.ofThisProcess();
        CommandLine bench = create(terminal, InstantSource.system());
        System.exit(KeyslotCommand.run(terminal, new SystemTicker()::nanos, List.of(bench), arguments));
    }

    static CommandLine create(Terminal terminal, InstantSource clock) {
        return new CommandLine(new BenchCommand(terminal, clock)).addSubcommand(new MoveCommand(terminal));
    }

    @Override
    public Integer call() {
        Plan plan = checkedPlan();
        try (Bench bench = Bench.start(plan, terminal)) {
            RunFacts facts = Facts.of(clock.instant(), commandLine(), bench.servers(), plan.method());
            report(facts, Comparison.of(bench.run()));
            return bench.finish();
        }
    }

    private void report(RunFacts facts, List<Comparison> comparisons) {
        PrintWriter out = terminal.out();
        out.println(facts.line());
        out.println(ComparisonTable.LEGEND);
        for (Comparison comparison : comparisons) {
            out.println();
            ComparisonTable.lines(comparison).forEach(out::println);
        }
        out.flush();
        if (json != null) {
            try {
                Files.writeString(json, JsonReport.of(facts, comparisons));
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot write the report", e);
            }
        }
    }

    private Plan checkedPlan() {
        try {
            checkFile();
            return options.plan();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private void checkFile() {
        Path directory = json == null ? null : json.toAbsolutePath().getParent();
        if (json != null && (directory == null || !Files.isWritable(directory) || Files.isDirectory(json))) {
            throw new IllegalArgumentException("--json: %s cannot be written".formatted(json));
        }
    }

    private String commandLine() {
        return "keyslot "
                + String.join(" ", spec().root().commandLine().getParseResult().originalArgs());
    }

    private CommandSpec spec() {
        if (spec == null) {
            throw new IllegalStateException("picocli sets the specification first");
        }
        return spec;
    }
}
