// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.nodes;

import io.keyslot.client.partition.redis.handshake.Incarnation;
import java.util.List;
import java.util.Optional;

/**
 * A cluster as it was seen a moment ago.
 *
 * @param seeds the nodes of the configuration
 * @param nodes primaries in the order of their slots, then the others
 * @param incarnation of the cluster's entries; empty if nobody has used it
 * @param recordProblem why that is not known; empty if it is
 * @param findings what does not fit
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

    /** Returns whether all have answered that the configuration names, and all that own slots. */
    public boolean isComplete() {
        return recordProblem.isEmpty()
                && seeds.stream().allMatch(seed -> seed.problem().isEmpty())
                && nodes.stream().filter(node -> node.owned() > 0).allMatch(SeenNode::answers);
    }

    /** Returns the primaries, those that own nothing included. */
    public List<SeenNode> primaries() {
        return nodes.stream().filter(SeenNode::isPrimary).toList();
    }
}
