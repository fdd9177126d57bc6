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
import io.keyslot.cluster.terminal.Table;
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
            "It samples keys. Exits with 1 if the configuration has a problem or a partition does not answer,"
                    + " with 3 if there are other findings: keyslot fix says what to do.",
            "With --classes it reads a sample of each cache with the classes of another version of the application, and exits"
                    + " with 3 if an entry cannot be read. It changes nothing.",
            "  keyslot check --config keyslot.yaml",
            "  keyslot check --classes app.jar:lib.jar --config keyslot.yaml"
        })
final class CheckCommand extends OperatorCommand {
    private static final Duration LONGEST = Duration.ofSeconds(3);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(50);

    @Mixin
    private ClassesCheck classes = new ClassesCheck();

    /** Returns the command with the options of another one. */
    static CheckCommand like(OperatorCommand other) {
        CheckCommand check = new CheckCommand();
        check.spec = other.spec;
        check.connection = other.connection;
        check.output = other.output;
        return check;
    }

    @Override
    public Integer call() throws MapStore.UnavailableException, IOException {
        if (classes.isWanted()) {
            return classes.check(terminal(), connection, output);
        }
        List<PartitionStatus> partitions;
        try (PartitionedCacheManager manager = connection.open()) {
            partitions = settled(manager);
        }
        Table table = new Table("Partition=name", "Address=address", "Slots=slots", "State=state");
        partitions.forEach(partition -> table.row(
                partition.id().name(), partition.address(), partition.slots(), ConstantText.of(partition.state())));
        if (!output.isJson()) {
            table.lines().forEach(terminal().out()::println);
        }
        int exitCode = exitCode(partitions);
        Found seen = exitCode == ExitCode.OK && connection.options().engine() == Engine.INSTANCES
                ? found()
                : new Found(List.of(), List.of());
        List<Finding> findings = seen.findings();
        if (!output.isJson()) {
            seen.notes().forEach(note -> terminal().err().println("Note: " + note + "."));
        }
        Table found = FixCommand.table(
                findings, findings.stream().map(Finding::remedy).toList());
        print(
                () -> Map.of("partitions", table.documents(), "findings", found.documents(), "notes", seen.notes()),
                () -> found.isEmpty() ? List.of() : found.lines());
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

    private int exitCode(List<PartitionStatus> partitions) {
        List<PartitionStatus> bad = partitions.stream()
                .filter(partition -> partition.state() != PartitionState.HEALTHY)
                .toList();
        bad.forEach(partition -> terminal().err().println(ErrorLine.of(partition)));
        if (partitions.isEmpty()) {
            terminal().err().println(ErrorLine.of("No node of the cluster says who owns all slots"));
        }
        return bad.isEmpty() && !partitions.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
}
