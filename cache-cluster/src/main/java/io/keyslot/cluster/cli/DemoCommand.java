// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.demo.Demo;
import io.keyslot.cluster.demo.Demo.Engine;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "demo",
        description =
                "Replays the sales of a food chain through a partitioned cache, adds a partition and takes one away.",
        footer = {
            "The system of record is FoodMart, a public sample, in a database in this process. The report shows"
                    + " the calls and loads of each phase, the entries of each partition, and how the program noticed the outage.",
            "With --engine instances, the demo also adds a fourth server while the program runs, and reports the effect.",
            "  keyslot demo",
            "  keyslot demo --engine instances"
        })
final class DemoCommand extends TerminalCommand implements Callable<Integer> {
    /** What a machine with two processors replays in about half a minute, including servers, database and moves. */
    private static final int SALES_WITH_SERVERS = 40_000;

    private static final int FEWEST_THREADS = 2;
    private static final int MOST_THREADS = 16;

    private final LongSupplier nanoClock;

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

    DemoCommand(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    @Override
    public Integer call() {
        boolean isEmbedded = engine == null || engine == Engine.EMBEDDED;
        int replayed = sales != null ? sales : isEmbedded ? Demo.ALL_SALES : SALES_WITH_SERVERS;
        int processors = Runtime.getRuntime().availableProcessors() * (isEmbedded ? 1 : 4);
        int by = threads != null ? threads : Math.max(FEWEST_THREADS, Math.min(MOST_THREADS, processors));
        if (replayed < Demo.FEWEST_SALES || replayed > Demo.ALL_SALES || by < 1 || by > Demo.MOST_THREADS) {
            throw misused(
                    "--sales is from %d to %d, and --threads from 1 to %d"
                            .formatted(Demo.FEWEST_SALES, Demo.ALL_SALES, Demo.MOST_THREADS),
                    null);
        }
        Engine chosen = isEmbedded ? Engine.EMBEDDED : Engine.INSTANCES;
        return new Demo(chosen, replayed, by, terminal(), nanoClock).run(output.isJson())
                ? ExitCode.OK
                : ExitCode.FAILED;
    }
}
