// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.client.map.MovePace;
import io.keyslot.cluster.cli.PaceOptions;
import io.keyslot.cluster.move.MoveProgress.Step;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Terminal;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "move",
        description = "Adds a fourth server to three and takes it away again, while several clients work.",
        footer = {
            "Of 100 calls 80 read, 15 put and 5 put two entries of a group together. Clients, servers and coordinator share this"
                    + " machine: with as many calls as they can make, whatever the move computes is taken from them."
                    + " --calls leaves room.",
            "  keyslot bench move --entries 1000000",
            "  keyslot bench move --entries 200000 --calls 4000 --rate 10240"
        })
public final class MoveCommand implements Callable<Integer> {
    private static final int VALUE_BYTES = 100;

    private static final Map<String, String> GOALS = Map.ofEntries(
            Map.entry("lost", "0"),
            Map.entry("stale", "0"),
            Map.entry("failed", "0"),
            Map.entry("slots.moved", "4,096"),
            Map.entry("pause.writes.p99.ms", "10"),
            Map.entry("pause.writes.longest.ms", "50"),
            Map.entry("pause.reads.p99.ms", "5"),
            Map.entry("pause.reads.longest.ms", "5"),
            Map.entry("throughput", "0.85"),
            Map.entry("throughput.stable.slots", "0.99"));

    private final Terminal terminal;

    @Option(
            names = "--entries",
            paramLabel = "<number>",
            defaultValue = "200000",
            description = "How many entries there are; 200,000 by default.")
    private int entries;

    @Option(
            names = "--clients",
            paramLabel = "<number>",
            defaultValue = "2",
            description = "Cache managers, each with its own connections; 2 by default.")
    private int clients;

    @Option(
            names = "--threads",
            paramLabel = "<number>",
            defaultValue = "4",
            description = "Threads of each client; 4 by default.")
    private int threads;

    @Option(
            names = "--calls",
            paramLabel = "<a second>",
            defaultValue = "0",
            description = "How many calls all threads make in a second; by default as many as they can.")
    private int calls;

    @Option(
            names = "--seconds",
            paramLabel = "<number>",
            defaultValue = "10",
            description = "How long the calls are measured before, between and after the moves; 10 by default.")
    private int seconds;

    @Mixin
    private PaceOptions pace = new PaceOptions();

    public MoveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        MoveTrial.Size size = new MoveTrial.Size(
                entries, VALUE_BYTES, clients, threads, calls, seconds, pace.changed(MovePace.MODEST));
        MoveResult result = new MoveTrial(size, this::say).run();
        Table figures = new Table("What", "is", "goal");
        result.figures().forEach((name, is) -> figures.row(name, text(is), GOALS.getOrDefault(name, "")));
        Table moves =
                new Table("Move", "Keys", "s", "waiting", "copying", "handing over", "keys/s", "longest pause ms");
        for (MoveTimes move : result.moves()) {
            long keys = move.end().copied().keys();
            moves.row(
                    move.end().move(),
                    Amounts.count(keys),
                    text(move.seconds()),
                    text(move.seconds(Step.WAITING_FOR_CLIENTS)),
                    text(move.seconds(Step.COPYING)),
                    text(move.seconds(Step.HANDING_OVER)),
                    Amounts.count(Math.round(keys / move.seconds(Step.COPYING))),
                    text(MoveTimes.percentile(move.pauses(), 1)));
        }
        PrintWriter out = terminal.out();
        figures.lines().forEach(out::println);
        out.println("Quiet: no slot moves. Moving, stable: slots that move, and the others meanwhile.");
        out.println();
        moves.lines().forEach(out::println);
        out.flush();
        result.counter().complaints().forEach(this::say);
        return result.isGood() ? 0 : 1;
    }

    private void say(String text) {
        terminal.err().println(text);
        terminal.err().flush();
    }

    private static String text(double number) {
        return String.format(Locale.ROOT, "%,.2f", number);
    }
}
