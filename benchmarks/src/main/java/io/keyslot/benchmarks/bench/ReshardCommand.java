// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.move.MoveTimes;
import io.keyslot.benchmarks.move.ReshardDuel;
import io.keyslot.benchmarks.move.ReshardDuel.Run;
import io.keyslot.benchmarks.report.JsonWriter;
import io.keyslot.cluster.move.MoveProgress.Step;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Terminal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code keyslot bench reshard}. */
@Command(
        name = "reshard",
        description = "Moves the same slots with the same entries by redis-cli --cluster reshard, and by Keyslot.",
        footer = {
            "",
            "Both begin with two servers, which are started for it, and take turns. Nobody else uses them. Keyslot moves as with"
                    + " --rate max. Its first round is by code that has not run before; a process that has moved something is"
                    + " faster. Needs redis-cli, or another program that --cli names.",
            "",
            "Example:",
            "  keyslot bench reshard --keys 400000 --rounds 3"
        })
final class ReshardCommand implements Callable<Integer> {
    /** What redis-cli does unless it is told otherwise. */
    private static final int PIPELINE_BY_DEFAULT = 10;

    private static final String KEYSLOT = "keyslot";
    private static final String KEYSLOT_AT_FIRST = "keyslot, first round";

    private final Terminal terminal;

    @Option(
            names = "--keys",
            paramLabel = "<number>",
            defaultValue = "400000",
            description = "How many entries there are; 400,000 by default.")
    private int keys;

    @Option(
            names = "--value-bytes",
            paramLabel = "<number>",
            defaultValue = "200",
            description = "The length of a value; 200 by default.")
    private int valueBytes;

    @Option(
            names = "--slots",
            paramLabel = "<number>",
            defaultValue = "4096",
            description = "How many slots move, of 16,384; 4,096 by default.")
    private int slots;

    @Option(
            names = "--rounds",
            paramLabel = "<number>",
            defaultValue = "3",
            description = "How often each is measured; 3 by default. The ratios are those of the medians.")
    private int rounds;

    @Option(
            names = "--pipeline",
            paramLabel = "<keys>",
            defaultValue = "100",
            description =
                    "How many keys redis-cli moves at once in the second of its rows; 100 by default. The first has its"
                            + " own default, which is 10.")
    private int pipeline;

    @Option(
            names = "--cli",
            paramLabel = "<program>",
            split = " ",
            defaultValue = "redis-cli",
            description = "What reshards a cluster, with its first arguments; redis-cli by default.")
    private List<String> cli = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "<form>",
            description = "table, which is the default, or json.")
    private OutputForm form = OutputForm.TABLE;

    ReshardCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        ReshardDuel duel = new ReshardDuel(keys, valueBytes, slots, cli);
        Map<String, List<Run>> runs = new LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++) {
            terminal.err().println("Round %d of %d ...".formatted(round, rounds));
            terminal.err().flush();
            add(runs, row(PIPELINE_BY_DEFAULT), duel.cluster(PIPELINE_BY_DEFAULT));
            if (pipeline != PIPELINE_BY_DEFAULT) {
                add(runs, row(pipeline), duel.cluster(pipeline));
            }
            add(runs, round == 1 ? KEYSLOT_AT_FIRST : KEYSLOT, duel.keyslot());
        }
        if (form == OutputForm.JSON) {
            terminal.out().print(JsonWriter.write(json(runs)));
        } else {
            print(runs);
        }
        terminal.out().flush();
        return 0;
    }

    private static String row(int keysAtOnce) {
        return "redis-cli, pipeline " + keysAtOnce;
    }

    private static void add(Map<String, List<Run>> runs, String row, Run run) {
        runs.computeIfAbsent(row, name -> new ArrayList<>()).add(run);
    }

    private static List<Run> of(Map<String, List<Run>> runs, String row) {
        return Objects.requireNonNull(runs.get(row));
    }

    private static double median(List<Run> runs) {
        double[] sorted = runs.stream().mapToDouble(Run::keysPerSecond).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private void print(Map<String, List<Run>> runs) {
        double reference = median(of(runs, row(PIPELINE_BY_DEFAULT)));
        terminal.out()
                .println("%s entries with values of %d bytes in two servers; %s slots go from one to the other."
                        .formatted(Amounts.count(keys), valueBytes, Amounts.count(slots)));
        Table table = new Table("By", "Keys", "s", "keys/s", "ratio");
        runs.forEach((row, each) -> table.row(
                row,
                Amounts.count(each.get(0).moved()),
                text(each.get(0).moved() / median(each)),
                Amounts.count(Math.round(median(each))),
                text(median(each) / reference)));
        table.lines().forEach(terminal.out()::println);
        List<Run> ours = of(runs, rounds == 1 ? KEYSLOT_AT_FIRST : KEYSLOT);
        MoveTimes last = ours.get(ours.size() - 1).moves().get(0);
        terminal.out()
                .println(
                        ("Of the last round by Keyslot: emptying the target %s s, copying %s s, handing over %s s, emptying the source %s s; pauses of"
                                        + " writes p50 %s ms, p99 %s ms, longest %s ms.")
                                .formatted(
                                        text(last.seconds(Step.EMPTYING_TARGET)),
                                        text(last.seconds(Step.COPYING)),
                                        text(last.seconds(Step.HANDING_OVER)),
                                        text(last.seconds(Step.EMPTYING_SOURCE)),
                                        text(MoveTimes.percentile(last.pauses(), 0.5)),
                                        text(MoveTimes.percentile(last.pauses(), 0.99)),
                                        text(MoveTimes.percentile(last.pauses(), 1))));
    }

    private static String text(double number) {
        return String.format(Locale.ROOT, "%.2f", number);
    }

    private Map<String, Object> json(Map<String, List<Run>> runs) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("keys", keys);
        report.put("valueBytes", valueBytes);
        report.put("slots", slots);
        double reference = median(of(runs, row(PIPELINE_BY_DEFAULT)));
        runs.forEach((row, each) -> report.put(
                row,
                Map.of(
                        "keysPerSecond", median(each),
                        "ratio", median(each) / reference,
                        "rounds", each.stream().map(Run::keysPerSecond).toList())));
        return report;
    }
}
