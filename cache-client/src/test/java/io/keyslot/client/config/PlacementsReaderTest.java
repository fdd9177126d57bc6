// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.ClientOptions.PlacementOptions;
import io.keyslot.client.config.ClientOptions.PlacementOptions.Listed;
import io.keyslot.client.config.ClientOptions.PlacementOptions.Range;
import io.keyslot.client.config.ClientOptions.PlacementOptions.Target;
import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlacementsReaderTest {
    private static Target at(String owner, int width) {
        return new Target(new PartitionId(owner), width);
    }

    @Test
    void listAndRanges_areRead() {
        assertThat(Given.yaml(
                                "placements:",
                                "  tenant:",
                                "    list: { acme: p1, 'big.one': p2 width=4 }",
                                "    else: refuse",
                                "  order:",
                                "    rangesOf: number",
                                "    ranges: { '0..10': p1, '10..': p3 }")
                        .options()
                        .placements())
                .containsExactly(
                        new PlacementOptions(
                                "tenant",
                                Optional.empty(),
                                List.of(new Listed("acme", at("p1", 1)), new Listed("big.one", at("p2", 4))),
                                List.of(),
                                true),
                        new PlacementOptions(
                                "order",
                                Optional.of("number"),
                                List.of(),
                                List.of(new Range("0", "10", at("p1", 1)), new Range("10", null, at("p3", 1))),
                                false));
    }

    @Test
    void problems_areToldAtOnce() {
        assertThat(Given.yaml(
                                "partitions: 2",
                                "placements:",
                                "  tenant:",
                                "    list: { acme: p3, big: p2 width=3 }",
                                "    ranges: { ten: p1 }",
                                "    rangesOf: colour",
                                "    else: maybe",
                                "    hash: p1",
                                "  order: { ranges: { '0..1': p1 } }")
                        .problems())
                .anyMatch(problem ->
                        problem.contains("placements.tenant.list.acme is \"p3\", must be the name of a partition"))
                .anyMatch(problem -> problem.contains("placements.tenant.list.big is \"p2 width=3\""))
                .anyMatch(problem -> problem.contains("placements.tenant.ranges.ten is no range"))
                .anyMatch(
                        problem -> problem.contains("placements.tenant.rangesOf is \"colour\", must be one of number"))
                .anyMatch(
                        problem -> problem.contains("placements.tenant.else is \"maybe\", must be one of hash, refuse"))
                .anyMatch(problem -> problem.contains("placements.tenant.hash"))
                .anyMatch(problem -> problem.contains("placements.order.rangesOf must say what the ids in ranges are"));
    }
}
