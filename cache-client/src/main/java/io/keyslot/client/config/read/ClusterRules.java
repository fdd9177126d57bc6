// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import java.util.List;

/** Refuses settings that have no meaning with engine cluster, where the servers own the slots. */
final class ClusterRules {
    private final Section root;
    private final Problems problems;

    ClusterRules(Section root, Problems problems) {
        this.root = root;
        this.problems = problems;
    }

    void check(List<PartitionDraft> seeds) {
        for (PartitionDraft seed : seeds) {
            if (seed.weight() != null || seed.slots() != null) {
                problems.add(
                        seed.where(),
                        seed.path() + " has a weight or slots, but engine is cluster, where the servers own the slots:"
                                + " leave them away");
            }
            if (seed.uri() != null && seed.uri().sentinels() != null) {
                problems.add(
                        seed.where(),
                        seed.path() + " names sentinels, but engine is cluster, which has none: name nodes");
            }
            if (seed.uri() != null && seed.uri().database() != 0) {
                problems.add(
                        seed.where(),
                        "%s names database %d, but engine is cluster, which has database 0 only"
                                .formatted(seed.path(), seed.uri().database()));
            }
        }
        if (seeds.stream().anyMatch(seed -> seed.uri() != null && seed.uri().tls())
                && seeds.stream()
                        .anyMatch(seed -> seed.uri() != null && !seed.uri().tls())) {
            root.problem("partitions", "has nodes of one cluster with and without encryption: write one of the two");
        }
        refuse("catalogue", "the servers say who owns which slot");
        refuse("placements", "the servers own the slots, and hash every key");
        refuse("trafficReports", "nobody moves slots by them");
    }

    private void refuse(String setting, String reason) {
        if (root.node(setting).isPresent()) {
            root.problem(setting, "makes no sense with engine cluster, where %s: leave it away".formatted(reason));
        }
    }
}
