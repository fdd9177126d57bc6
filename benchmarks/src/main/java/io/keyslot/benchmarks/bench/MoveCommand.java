// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.move.MoveResult;
import io.keyslot.benchmarks.move.MoveTimes;
import io.keyslot.benchmarks.move.MoveTrial;
import io.keyslot.benchmarks.report.JsonWriter;
import io.keyslot.client.map.MovePace;
import io.keyslot.cluster.cli.shared.PaceOptions;
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

/** {@code keyslot bench move}. */
@Command(
        name = "move",
        description = "Adds a fourth server to three and takes it away again, while several JVMs work.",
        footer = {
            "",
            "Of 100 calls 80 read, 15 put and 5 count; entries, groups and transactions. All processes share this machine: with as"
                    + " many calls as they can make, whatever the move computes is taken from them. --calls leaves room.",
            "",
            "Examples:",
            "  keyslot bench move --entries 1000000",
            "  keyslot bench move --entries 200000 --calls 4000 --rate 10240"
        })
final class MoveCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--entries",
            paramLabel = "<number>",
            defaultValue = "200000",
            description = "How many entries there are; 200,000 by default.")
    private int entries;

    @Option(
            names = "--value-bytes",
            paramLabel = "<number>",
            defaultValue = "100",
            description = "The length of a value; 100 by default.")
    private int valueBytes;

    @Option(names = "--jvms", paramLabel = "<number>", defaultValue = "2", description = "Processes; 2 by default.")
    private int jvms;

    @Option(
            names = "--threads",
            paramLabel = "<number>",
            defaultValue = "4",
            description = "Threads of each process; 4 by default.")
    private int threads;

    @Option(
            names = "--calls",
            paramLabel = "<a second>",
            defaultValue = "0",
            description = "How many calls all processes make in a second; by default as many as they can.")
    private int calls;

    @Option(
            names = "--seconds",
            paramLabel = "<number>",
            defaultValue = "10",
            description = "How long the calls are measured before, between and after the moves; 10 by default.")
    private int seconds;

    @Mixin
    private PaceOptions pace = new PaceOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "<form>",
            description = "table, which is the default, or json.")
    private OutputForm form = OutputForm.TABLE;

    MoveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        MoveTrial.Size size =
                new MoveTrial.Size(entries, valueBytes, jvms, threads, calls, seconds, pace.changed(MovePace.MODEST));
        MoveResult result = new MoveTrial(size, this::say).run();
        if (form == OutputForm.JSON) {
            terminal.out().print(JsonWriter.write(result.figures()));
        } else {
            print(result);
        }
        terminal.out().flush();
        result.report().complaints().forEach(this::say);
        return result.isGood() ? 0 : 1;
    }

    private void say(String text) {
        terminal.err().println(text);
        terminal.err().flush();
    }

    private void print(MoveResult result) {
        PrintWriter out = terminal.out();
        Map<String, Object> figures = result.figures();
        Table goals = new Table("What", "is", "goal", "met");
        goals.row("lost, stale, failed, miscounted", wrong(figures), "0, 0, 0, 0", met(result.isGood()));
        int least = 16_384 / 4;
        goals.row(
                "slots moved, and moved back",
                Amounts.count(result.slots()),
                Amounts.count(least),
                met(result.slots() == least));
        atMost(goals, "pause of writes, p99 of the slots, ms", result.pauseMillis(0.99), 10);
        atMost(goals, "pause of writes, longest, ms", result.longestPauseMillis(), 50);
        atMost(goals, "pause of reads, p99 of the slots, ms", result.pauseOfReadsMillis(0.99), 5);
        atMost(goals, "pause of reads, longest, ms", result.pauseOfReadsMillis(1), 5);
        String of = result.isPaced() ? ", of what was asked for" : "";
        atLeast(goals, "throughput while slots move" + of, result.throughput(), 0.85);
        if (!result.isPaced()) {
            atLeast(goals, "throughput of slots that do not move", result.throughput(false), 0.99);
            goals.row("throughput of slots that move", text(result.throughput(true)), "", "");
        }
        goals.lines().forEach(out::println);
        out.println("Of all processors the servers and the coordinator took %s, and %s while slots moved."
                .formatted(text(result.used(false)), text(result.used(true))));
        if (!result.isPaced()) {
            out.println(
                    "The application takes the rest: throughput says how much of it the move has needed. With --calls it"
                            + " says whether the application had to wait.");
        }
        out.println();
        Table latencies = new Table("Calls", "number", "p50 ms", "p99 ms", "p99.9 ms", "longest ms");
        for (String kind : new String[] {"reads", "writes"}) {
            for (String when : new String[] {"quiet", "stable", "moving"}) {
                String name = kind + "." + when;
                latencies.row(
                        kind + ", " + when,
                        Amounts.count(Math.round(number(figures, name + ".calls"))),
                        text(number(figures, name + ".p50.ms")),
                        text(number(figures, name + ".p99.ms")),
                        text(number(figures, name + ".p99.9.ms")),
                        text(number(figures, name + ".longest.ms")));
            }
        }
        latencies.lines().forEach(out::println);
        out.println("Quiet: no slot moves. Moving, stable: slots that move, and the others meanwhile.");
        out.println();
        Table moves =
                new Table("Move", "Keys", "s", "waiting", "copying", "handing over", "keys/s", "longest pause ms");
        for (MoveTimes move : result.moves()) {
            moves.row(
                    move.end().move(),
                    Amounts.count(move.end().copied().keys()),
                    text(move.seconds()),
                    text(move.seconds(Step.WAITING_FOR_CLIENTS)),
                    text(move.seconds(Step.COPYING)),
                    text(move.seconds(Step.HANDING_OVER)),
                    Amounts.count(Math.round(move.end().copied().keys() / move.seconds(Step.COPYING))),
                    text(MoveTimes.percentile(move.pauses(), 1)));
        }
        moves.lines().forEach(out::println);
    }

    private static void atMost(Table goals, String what, double is, double goal) {
        goals.row(what, text(is), Long.toString(Math.round(goal)), met(is <= goal));
    }

    private static void atLeast(Table goals, String what, double is, double goal) {
        goals.row(what, text(is), text(goal), met(is >= goal));
    }

    private static String met(boolean isMet) {
        return isMet ? "yes" : "no";
    }

    private static String wrong(Map<String, Object> figures) {
        return "%s, %s, %s, %s"
                .formatted(figures.get("lost"), figures.get("stale"), figures.get("failed"), figures.get("miscounted"));
    }

    private static double number(Map<String, Object> figures, String name) {
        return figures.get(name) instanceof Double number ? number : Double.NaN;
    }

    private static String text(double number) {
        return String.format(Locale.ROOT, "%.2f", number);
    }
}
