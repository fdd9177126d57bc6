// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.cluster.inspect.ClusterSurvey;
import io.keyslot.cluster.inspect.Finding;
import io.keyslot.cluster.inspect.Inspection;
import io.keyslot.cluster.inspect.SeenPartition;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "check",
        description =
                "Checks the configuration and the connection to each partition, shows what each partition owns, and"
                        + " checks that its state matches the map.",
        footer = {
            "",
            "It samples keys. Exits with 1 if the configuration has a problem or a partition does not answer,"
                    + " with 3 if there are other findings: keyslot fix says what to do.",
            "",
            "With --classes it reads a sample of each cache with the classes of another version of the application, and exits"
                    + " with 3 if an entry cannot be read. It changes nothing.",
            "",
            "Examples:",
            "  keyslot check --config keyslot.yaml",
            "  keyslot check --classes app.jar:lib.jar --config keyslot.yaml"
        })
final class CheckCommand extends OperatorCommand {
    private static final Duration LONGEST = Duration.ofSeconds(3);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(50);

    @Mixin
    private ClassesCheck classes = new ClassesCheck();

    CheckCommand(Terminal terminal) {
        super(terminal);
    }

    static CheckCommand with(Terminal terminal, ConnectionOptions connection, OutputOptions output) {
        CheckCommand check = new CheckCommand(terminal);
        check.connection = connection;
        check.output = output;
        return check;
    }

    @Override
    public Integer call() throws MapStore.UnavailableException, IOException {
        if (classes.isWanted()) {
            return classes.check(terminal, connection, output);
        }
        List<PartitionStatus> partitions;
        try (PartitionedCacheManager manager = connection.open()) {
            partitions = settled(manager);
        }
        if (!output.isJson()) {
            table(partitions).forEach(terminal.out()::println);
        }
        int exitCode = exitCode(partitions);
        Found found = exitCode == ExitCode.OK && connection.options().engine() == Engine.INSTANCES
                ? found()
                : new Found(List.of(), List.of());
        List<Finding> findings = found.findings();
        if (!output.isJson()) {
            found.notes().forEach(note -> terminal.err().println("Note: " + note + "."));
        }
        List<Map<String, String>> fields =
                Findings.fields(findings, findings.stream().map(Finding::remedy).toList());
        List<?> rows = partitions.stream().map(CheckCommand::fields).toList();
        print(
                () -> Map.of("partitions", rows, "findings", fields, "notes", found.notes()),
                () -> fields.isEmpty() ? List.of() : Findings.table(fields));
        return exitCode == ExitCode.OK && !findings.isEmpty() ? ExitCode.DIFFERENT : exitCode;
    }

    /** A partition whose slots have moved accepts only the newest map, which a new manager has after a moment. */
    private static List<PartitionStatus> settled(PartitionedCacheManager manager) {
        SystemWaiter waiter = new SystemWaiter();
        Deadline deadline = Deadline.after(new SystemTicker(), LONGEST);
        while (true) {
            List<PartitionStatus> partitions = manager.partitions();
            boolean isSettled = partitions.stream().allMatch(partition -> partition.state() == PartitionState.HEALTHY);
            if (isSettled || deadline.isOver()) {
                return partitions;
            }
            waiter.pause(CHECK_INTERVAL);
        }
    }

    /** What does not fit, and what is weaker than it could be. */
    private record Found(List<Finding> findings, List<String> notes) {}

    private Found found() throws MapStore.UnavailableException {
        try (OpenCatalogue catalogue = connection.catalogue();
                ClusterSurvey survey = new ClusterSurvey(catalogue)) {
            List<String> notes = new ArrayList<>();
            List<SeenPartition> partitions = survey.look().partitions();
            addNote(
                    notes,
                    partitions,
                    memory -> memory.mostBytes() == 0 && memory.usedBytes() > 0,
                    "without maxmemory, a server grows until its machine has no memory left");
            addNote(
                    notes,
                    partitions,
                    memory -> memory.mostBytes() > 0 && memory.policy().equals("noeviction"),
                    "with maxmemory-policy noeviction, a full server refuses writes; for a cache, set allkeys-lru or"
                            + " allkeys-lfu");
            return new Found(Inspection.of(catalogue), notes);
        }
    }

    private static void addNote(
            List<String> notes, List<SeenPartition> partitions, Predicate<MemoryUse> condition, String note) {
        String names = partitions.stream()
                .filter(seen -> seen.memory() != null && condition.test(seen.memory()))
                .map(seen -> seen.partition().name().name())
                .collect(Collectors.joining(", "));
        if (!names.isEmpty()) {
            notes.add(names + ": " + note);
        }
    }

    private static List<String> table(List<PartitionStatus> partitions) {
        Table table = new Table("Partition", "Address", "Slots", "State");
        for (PartitionStatus partition : partitions) {
            table.row(
                    partition.id().name(),
                    partition.address(),
                    Amounts.count(partition.slots()),
                    ConstantText.of(partition.state()));
        }
        return table.lines();
    }

    private static Map<String, ?> fields(PartitionStatus partition) {
        return Map.of(
                "name",
                partition.id().name(),
                "address",
                partition.address(),
                "slots",
                partition.slots(),
                "state",
                ConstantText.of(partition.state()));
    }

    private int exitCode(List<PartitionStatus> partitions) {
        List<PartitionStatus> bad = partitions.stream()
                .filter(partition -> partition.state() != PartitionState.HEALTHY)
                .toList();
        bad.forEach(partition -> terminal.err().println(ErrorLine.of(partition)));
        if (partitions.isEmpty()) {
            terminal.err().println(ErrorLine.of("No node of the cluster says who owns all slots"));
        }
        return bad.isEmpty() && !partitions.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
}
