// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.inspect.AskedSeed;
import io.keyslot.cluster.inspect.NodesSurvey;
import io.keyslot.cluster.inspect.SeenNode;
import io.keyslot.cluster.inspect.SeenNodes;
import io.keyslot.cluster.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** {@code check} and {@code status} where the servers own the slots. For one thread. */
record NodesCheck(Terminal terminal, ConnectionOptions connection, OutputOptions output) {
    /** The guarantees that are weaker than with instances; docs/cluster.md has the details. */
    private static final List<String> WEAKER = List.of(
            "a replica that lags and becomes primary serves what it has: older values are back until they expire or are written",
            "a primary that was cut off is read and written until it knows, and what was written there is lost",
            "the end of an epoch is noticed within a second at nodes that could not be reached at that time",
            "no new connection is made to any node while the owner of slot 15495 and its replica are away");

    public int status(WatchOptions watch) {
        try (NodesSurvey survey = NodesSurvey.of(connection.options())) {
            return watch.run(terminal, survey.time(), output.isJson(), () -> status(survey));
        }
    }

    /** While no node answers, a later attempt may succeed. */
    private int status(NodesSurvey survey) {
        SeenNodes seen;
        try {
            seen = survey.look();
        } catch (CacheException e) {
            terminal.err().println(ErrorLine.of(e));
            return ExitCode.FAILED;
        }
        notes(seen);
        output.print(terminal, () -> NodesTables.json(seen), () -> NodesTables.lines(seen));
        return seen.isComplete() ? ExitCode.OK : ExitCode.FAILED;
    }

    private void notes(SeenNodes seen) {
        seen.findings()
                .forEach(finding -> terminal.err().println("Note: %s %s.".formatted(finding.about(), finding.what())));
    }

    /** Performs the handshake of an application with each primary; prints problems and returns the exit code. */
    public int check() {
        SeenNodes seen;
        try (NodesSurvey survey = NodesSurvey.of(connection.options())) {
            seen = survey.look();
        }
        List<PartitionStatus> partitions;
        try (PartitionedCacheManager manager = connection.open()) {
            partitions = manager.partitions();
        }
        output.print(
                terminal,
                () -> {
                    Map<String, @Nullable Object> all = NodesTables.json(seen);
                    all.put(
                            "partitions",
                            partitions.stream().map(NodesCheck::fields).toList());
                    all.put("weaker", WEAKER);
                    return all;
                },
                () -> lines(seen));
        List<String> problems = problems(seen, partitions);
        problems.forEach(problem -> terminal.err().println(ErrorLine.of(problem)));
        if (!problems.isEmpty()) {
            return ExitCode.FAILED;
        }
        boolean isSound =
                seen.findings().stream().allMatch(finding -> finding.kind().isAdvice());
        return isSound ? ExitCode.OK : ExitCode.DIFFERENT;
    }

    private static List<String> lines(SeenNodes seen) {
        List<String> lines = new ArrayList<>(NodesTables.lines(seen));
        lines.add("");
        lines.add("Weaker than with instances:");
        WEAKER.forEach(line -> lines.add("  " + line));
        if (!seen.findings().isEmpty()) {
            lines.add("");
            lines.addAll(NodesTables.table(seen.findings()));
        }
        return lines;
    }

    private static List<String> problems(SeenNodes seen, List<PartitionStatus> partitions) {
        List<String> problems = new ArrayList<>();
        for (AskedSeed seed : seen.seeds()) {
            if (!seed.problem().isEmpty()) {
                problems.add("The configuration names %s: %s".formatted(seed.address(), seed.problem()));
            }
        }
        for (SeenNode node : seen.nodes()) {
            if (!node.problem().isEmpty()) {
                problems.add("Node %s at %s: %s".formatted(node.name(), node.address(), node.problem()));
            }
        }
        if (!seen.recordProblem().isEmpty()) {
            problems.add("keyslot:meta, the record of the cluster: " + seen.recordProblem());
        }
        if (partitions.isEmpty()) {
            problems.add("An application would have no partitions");
        }
        if (problems.isEmpty()) {
            partitions.stream()
                    .filter(partition -> partition.state() != PartitionState.HEALTHY)
                    .forEach(partition -> problems.add("Node %s at %s is %s: %s"
                            .formatted(
                                    partition.id(),
                                    partition.address(),
                                    ConstantText.of(partition.state()),
                                    partition.problem())));
        }
        return problems;
    }

    public static Map<String, ?> fields(PartitionStatus partition) {
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
}
