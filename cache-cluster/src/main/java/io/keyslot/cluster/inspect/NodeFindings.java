// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.config.Counted;
import io.keyslot.client.partition.redis.KnownNode;
import io.keyslot.client.partition.redis.NodeReport;
import io.keyslot.cluster.inspect.NodeFinding.Kind;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds deviations between the reports of a cluster's nodes. Pure. */
final class NodeFindings {
    private final List<SeenNode> nodes;
    private final List<NodeFinding> findings = new ArrayList<>();

    private NodeFindings(List<SeenNode> nodes) {
        this.nodes = nodes;
    }

    static List<NodeFinding> of(List<SeenNode> nodes) {
        NodeFindings found = new NodeFindings(nodes);
        found.checkEach();
        found.compare();
        return found.findings;
    }

    private void checkEach() {
        Set<String> followed = nodes.stream()
                .filter(node -> !node.known().isFailed())
                .map(node -> node.known().primary())
                .collect(Collectors.toSet());
        for (SeenNode node : nodes) {
            if (node.known().isFailed()) {
                add(Kind.FAILED, node, "is taken for failed by the others");
            }
            if (node.owned() > 0 && !followed.contains(node.known().id())) {
                add(Kind.NO_REPLICA, node, "has no replica: its slots are gone while it is");
            }
            NodeReport report = node.report();
            if (report != null) {
                look(node, report);
            }
        }
    }

    private void look(SeenNode node, NodeReport report) {
        if (report.isDown()) {
            add(Kind.DOWN, node, "says cluster_state:fail, and refuses");
        }
        if (report.readsWhenDown()) {
            add(Kind.READS_WHEN_DOWN, node, "answers reads when it has lost the others, from what may be old");
        }
        KnownNode itself = report.itself();
        if (!itself.leaving().isEmpty() || !itself.arriving().isEmpty()) {
            add(
                    Kind.OPEN_SLOTS,
                    node,
                    "%s leaving it, %s arriving"
                            .formatted(
                                    Counted.of(itself.leaving().size(), "slot"),
                                    itself.arriving().size()));
        }
    }

    /** Compares all others with the first node that answered. */
    private void compare() {
        List<SeenNode> answering = nodes.stream().filter(SeenNode::answers).toList();
        if (answering.isEmpty()) {
            return;
        }
        SeenNode first = answering.get(0);
        String[] expected = owners(Objects.requireNonNull(first.report()));
        for (SeenNode other : answering.subList(1, answering.size())) {
            String[] reported = owners(Objects.requireNonNull(other.report()));
            int different = 0;
            for (int slot = 0; slot < reported.length; slot++) {
                different += reported[slot].equals(expected[slot]) ? 0 : 1;
            }
            if (different > 0) {
                add(
                        Kind.DISAGREEMENT,
                        other,
                        "names another owner of %s than %s does"
                                .formatted(Counted.of(different, "slot"), first.name()));
            }
        }
    }

    private static String[] owners(NodeReport report) {
        String[] owners = new String[HashSlot.COUNT];
        Arrays.fill(owners, "");
        for (KnownNode node : report.nodes()) {
            for (SlotRange range : node.slots()) {
                Arrays.fill(owners, range.first(), range.last() + 1, node.id());
            }
        }
        return owners;
    }

    private void add(Kind kind, SeenNode node, String what) {
        findings.add(new NodeFinding(kind, node.name(), what));
    }
}
