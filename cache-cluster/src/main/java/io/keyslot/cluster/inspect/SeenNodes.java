// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.partition.redis.Incarnation;
import java.util.List;
import java.util.Optional;

/**
 * The recent state of a cluster. Primaries come first, in the order of their slots. The incarnation is empty if the
 * cluster is unused, or unknown as {@code recordProblem} says.
 */
public record SeenNodes(
        List<AskedSeed> seeds,
        List<SeenNode> nodes,
        Optional<Incarnation> incarnation,
        String recordProblem,
        List<NodeFinding> findings) {
    public SeenNodes {
        seeds = List.copyOf(seeds);
        nodes = List.copyOf(nodes);
        findings = List.copyOf(findings);
    }

    /** Returns whether all configured nodes and all owners of slots have answered. */
    public boolean isComplete() {
        return recordProblem.isEmpty()
                && seeds.stream().allMatch(seed -> seed.problem().isEmpty())
                && nodes.stream().filter(node -> node.owned() > 0).allMatch(SeenNode::answers);
    }
}
