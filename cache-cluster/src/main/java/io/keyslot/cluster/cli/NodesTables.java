// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.partition.redis.ClusterPrimary;
import io.keyslot.client.partition.redis.Incarnation;
import io.keyslot.client.partition.redis.NodeReport;
import io.keyslot.cluster.inspect.AskedSeed;
import io.keyslot.cluster.inspect.NodeFinding;
import io.keyslot.cluster.inspect.SeenNode;
import io.keyslot.cluster.inspect.SeenNodes;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Formats the nodes of a cluster as tables and as JSON. Pure. */
final class NodesTables {
    private static final String NONE = "-";

    private NodesTables() {}

    static List<String> lines(SeenNodes seen) {
        List<String> lines = new ArrayList<>();
        List<SeenNode> primaries =
                seen.nodes().stream().filter(node -> node.known().isPrimary()).toList();
        lines.add("Cluster of %d primaries, %d of %d that own slots answer; %s"
                .formatted(
                        primaries.size(),
                        primaries.stream()
                                .filter(node -> node.owned() > 0 && node.answers())
                                .count(),
                        primaries.stream().filter(node -> node.owned() > 0).count(),
                        epoch(seen)));
        lines.add("");
        Table table =
                new Table("Node", "Address", "Role", "Follows", "State", "Answer", "Slots", "Keys", "Memory", "Of");
        seen.nodes().forEach(node -> row(table, node));
        lines.addAll(table.lines());
        return lines;
    }

    private static String epoch(SeenNodes seen) {
        if (!seen.recordProblem().isEmpty()) {
            return "its epoch is not known";
        }
        return seen.incarnation()
                .map(incarnation -> "epoch %d, %s".formatted(incarnation.epoch(), ConstantText.of(incarnation.state())))
                .orElse("not used yet");
    }

    private static void row(Table table, SeenNode node) {
        NodeReport report = node.report();
        table.row(
                node.name(),
                node.address().isEmpty() ? NONE : node.address(),
                role(node),
                follows(node) == null ? NONE : String.valueOf(follows(node)),
                state(node),
                node.answers() ? Amounts.duration(node.took()) : NONE,
                Amounts.count(node.owned()),
                report == null || report.keys() < 0 ? NONE : Amounts.count(report.keys()),
                report == null ? NONE : shown(report.usedBytes(), Amounts::mebibytes),
                report == null ? NONE : shown(report.mostBytes(), Amounts::mebibytes));
    }

    private static String role(SeenNode node) {
        return node.known().isPrimary() ? "primary" : "replica";
    }

    private static @Nullable String follows(SeenNode node) {
        String primary = node.known().primary();
        return primary.isEmpty() ? null : ClusterPrimary.partition(primary).name();
    }

    /** Replicas are not asked; their state is what the other nodes report. */
    private static String state(SeenNode node) {
        if (!node.problem().isEmpty()) {
            return "silent";
        }
        return node.known().isFailed() ? "failed" : "ok";
    }

    private static String shown(OptionalLong number, LongFunction<String> text) {
        return number.isPresent() ? text.apply(number.getAsLong()) : NONE;
    }

    private static @Nullable Long orNull(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }

    static Map<String, @Nullable Object> json(SeenNodes seen) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("engine", "cluster");
        all.put("epoch", seen.incarnation().map(Incarnation::epoch).orElse(null));
        all.put(
                "epochState",
                seen.incarnation()
                        .map(incarnation -> ConstantText.of(incarnation.state()))
                        .orElse(null));
        all.put("epochProblem", seen.recordProblem().isEmpty() ? null : seen.recordProblem());
        all.put("seeds", seen.seeds().stream().map(NodesTables::json).toList());
        all.put("nodes", seen.nodes().stream().map(NodesTables::json).toList());
        all.put("findings", seen.findings().stream().map(NodesTables::json).toList());
        return all;
    }

    private static Map<String, @Nullable Object> json(AskedSeed seed) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("address", seed.address());
        row.put("answers", seed.problem().isEmpty());
        row.put("problem", seed.problem().isEmpty() ? null : seed.problem());
        return row;
    }

    private static Map<String, @Nullable Object> json(SeenNode node) {
        NodeReport report = node.report();
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("node", node.name());
        row.put("id", node.known().id());
        row.put("address", node.address().isEmpty() ? null : node.address());
        row.put("role", role(node));
        row.put("follows", follows(node));
        row.put("state", state(node));
        row.put("answerMicros", node.answers() ? node.took().toNanos() / 1_000 : null);
        row.put("slots", node.owned());
        row.put("keys", report == null || report.keys() < 0 ? null : report.keys());
        row.put("usedBytes", report == null ? null : orNull(report.usedBytes()));
        row.put("maximumBytes", report == null ? null : orNull(report.mostBytes()));
        row.put("problem", node.problem().isEmpty() ? null : node.problem());
        return row;
    }

    private static Map<String, String> json(NodeFinding finding) {
        return Findings.fields(
                finding.kind(), finding.about(), finding.what(), finding.kind().remedy());
    }

    static List<String> table(List<NodeFinding> findings) {
        return Findings.table(findings.stream().map(NodesTables::json).toList());
    }
}
