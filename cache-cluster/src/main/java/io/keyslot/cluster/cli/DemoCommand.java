// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.demo.Demo;
import io.keyslot.cluster.demo.DemoOptions;
import io.keyslot.cluster.demo.DemoOptions.Engine;
import io.keyslot.cluster.terminal.Terminal;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "demo",
        description =
                "Replays the sales of a food chain through a partitioned cache, adds a partition and takes one away.",
        footer = {
            "",
            "The system of record is FoodMart, a public sample, in a database in this process. The report shows"
                    + " the calls and loads of each phase, the entries of each partition, and how the program noticed the outage.",
            "",
            "With --engine instances, the demo also adds a fourth server while the program runs, and reports the effect.",
            "",
            "Examples:",
            "  keyslot demo",
            "  keyslot demo --engine instances"
        })
final class DemoCommand implements Callable<Integer> {
    /** What a machine with two processors replays in about half a minute, including servers, database and moves. */
    private static final int SALES_WITH_SERVERS = 40_000;

    private static final int FEWEST_THREADS = 2;
    private static final int MOST_THREADS = 16;

    private final Terminal terminal;
    private final LongSupplier nanoClock;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--engine",
            paramLabel = "<engine>",
            description =
                    "embedded: partitions in this process (default); instances: Redis or Valkey servers, which the"
                            + " demo starts itself.")
    private @Nullable Engine engine;

    @Option(
            names = "--sales",
            paramLabel = "<number>",
            description = "How many sales are replayed, in the order of time; by default all 251,395 in this process,"
                    + " and 40,000 with servers.")
    private @Nullable Integer sales;

    @Option(
            names = "--threads",
            paramLabel = "<number>",
            description = "How many threads replay them; by default one for each processor in this process, four for"
                    + " each with servers, within 2 to 16.")
    private @Nullable Integer threads;

    @Mixin
    private OutputOptions output = new OutputOptions();

    DemoCommand(Terminal terminal, LongSupplier nanoClock) {
        this.terminal = terminal;
        this.nanoClock = nanoClock;
    }

    @Override
    public Integer call() {
        return new Demo(options(), terminal, nanoClock).run(output.isJson()) ? ExitCode.OK : ExitCode.FAILED;
    }

    private DemoOptions options() {
        Engine chosen = engine == null ? Engine.EMBEDDED : engine;
        try {
            return new DemoOptions(
                    chosen,
                    sales == null ? defaultSales(chosen) : sales,
                    threads == null ? defaultThreads(chosen) : threads);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(Objects.requireNonNull(spec).commandLine(), ErrorLine.messageOf(e), e);
        }
    }

    private static int defaultSales(Engine engine) {
        return engine == Engine.EMBEDDED ? DemoOptions.ALL_SALES : SALES_WITH_SERVERS;
    }

    private static int defaultThreads(Engine engine) {
        int processors = Runtime.getRuntime().availableProcessors();
        int wanted = engine == Engine.EMBEDDED ? processors : 4 * processors;
        return Math.max(FEWEST_THREADS, Math.min(MOST_THREADS, wanted));
    }
}
