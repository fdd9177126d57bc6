// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.client.config.Counted;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.cluster.inspect.ClusterSurvey;
import io.keyslot.cluster.inspect.SeenCluster;
import io.keyslot.cluster.inspect.SeenPartition;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Table.Cell;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "status",
        description = {
            "Summarizes the cluster: which partitions answer, their slots, keys and memory, their"
                    + " clients, and the moves.",
            "It only reads."
        },
        footer = {
            "Pending deletes of a missing partition are not shown: see the meters of the application. Exits with 1 if a"
                    + " partition does not answer.",
            "  keyslot status --config keyslot.yaml",
            "  keyslot status --watch --interval 5 --config keyslot.yaml"
        })
final class StatusCommand extends OperatorCommand {
    private static final int LONGEST_SECONDS = 3_600;

    @Option(names = "--watch", description = "Repeat until Ctrl-C.")
    private boolean isWatched;

    @Option(
            names = "--interval",
            paramLabel = "<seconds>",
            defaultValue = "2",
            description = "Seconds between two refreshes; 2 by default.")
    private int seconds;

    @Option(
            names = "--looks",
            paramLabel = "<n>",
            description = "With --watch, stop after this many refreshes. With -o json, each is a separate document.")
    private int looks;

    @Override
    public Integer call() throws MapStore.UnavailableException, IOException {
        if (seconds < 1 || seconds > LONGEST_SECONDS || looks < 0 || (looks > 0 && !isWatched)) {
            throw misused(
                    "--interval is from 1 to %d seconds, and --looks goes with --watch".formatted(LONGEST_SECONDS),
                    null);
        }
        if (connection.options().engine() == Engine.CLUSTER) {
            return CheckCommand.like(this).call();
        }
        try (OpenCatalogue catalogue = connection.catalogue();
                ClusterSurvey survey = new ClusterSurvey(catalogue)) {
            for (int n = 1; ; n++) {
                if (isWatched && !output.isJson()) {
                    terminal().begin(n == 1);
                }
                int exitCode = look(survey);
                if (!isWatched || n == looks) {
                    return exitCode;
                }
                catalogue.time().waiter().pause(Duration.ofSeconds(seconds));
                if (Thread.currentThread().isInterrupted()) {
                    return exitCode;
                }
            }
        }
    }

    private int look(ClusterSurvey survey) {
        SeenCluster seen = survey.look();
        seen.notes().forEach(note -> terminal().err().println("Note: " + note + "."));
        Table partitions = table(seen.partitions());
        print(
                () -> Map.of(
                        "map", seen.map().stamp().toString(),
                        "version", seen.map().version(),
                        "partitions", partitions.documents(),
                        "moves", seen.moves().stream().map(MoveText::json).toList(),
                        "notes", seen.notes()),
                () -> lines(seen, partitions));
        return seen.isComplete() ? ExitCode.OK : ExitCode.FAILED;
    }

    private static List<String> lines(SeenCluster seen, Table partitions) {
        List<String> lines = new ArrayList<>();
        long answering =
                seen.partitions().stream().filter(SeenPartition::answers).count();
        String moves =
                seen.moves().isEmpty() ? "no moves" : Counted.of(seen.moves().size(), "move");
        int asked = seen.map().askedPartitions().size();
        lines.add("Map %s; %d of %d partitions answer; %s".formatted(seen.map().stamp(), answering, asked, moves));
        lines.add("");
        lines.addAll(partitions.lines());
        if (!seen.moves().isEmpty()) {
            lines.add("");
            lines.addAll(MoveText.table(seen.moves()));
            seen.moves().forEach(move -> lines.addAll(MoveText.hints(move)));
        }
        return lines;
    }

    private static Table table(List<SeenPartition> partitions) {
        Table table = new Table(
                "Partition=partition",
                "Address=address",
                "State=state",
                "=answers",
                "Answer=answerMicros",
                "Slots=slots",
                "Keys=keys",
                "Memory=usedBytes",
                "Of=maximumBytes",
                "Clients=clients",
                "Behind=clientsBehind",
                "=problem");
        for (SeenPartition seen : partitions) {
            MemoryUse memory = seen.memory();
            SeenPartition.Clients clients = seen.clients();
            Duration took = seen.took();
            table.row(
                    seen.partition().name().name(),
                    ConstantText.address(seen.partition()),
                    new Cell(ConstantText.of(seen.partition().state()), state(seen)),
                    seen.answers(),
                    seen.answers() ? new Cell(took.toNanos() / 1_000, Amounts.duration(took)) : null,
                    seen.slots(),
                    memory == null ? null : memory.keys(),
                    memory == null ? null : Cell.bytes(memory.usedBytes()),
                    memory == null || memory.mostBytes() == 0 ? null : Cell.bytes(memory.mostBytes()),
                    clients == null ? null : clients.all(),
                    clients == null ? null : clients.behind(),
                    seen.problem().isEmpty() ? null : seen.problem());
        }
        return table;
    }

    /** A failure to answer takes precedence over the state in the map. */
    private static String state(SeenPartition seen) {
        String member = ConstantText.of(seen.partition().state());
        if (!seen.partition().isAsked() || seen.answers()) {
            return member;
        }
        return seen.partition().isActive() ? "silent" : member + ", silent";
    }
}
