// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.client.config.value.PartitionUriParser;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.PlanRun;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.cluster.plan.Planner;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.Properties;

/** Starts one more server, and gives it its share of the slots: what an operator does with a plan, in this process. */
final class Growth {
    private static final String COORDINATOR = "demo";

    private final LocalServers servers;
    private final Properties properties;

    /** @param properties of the cache manager whose partitions become more */
    Growth(LocalServers servers, Properties properties) {
        this.servers = servers;
        this.properties = properties;
    }

    /** What went over. */
    record Moved(PartitionId partition, int slots, long keys, Duration longestPause) {}

    /**
     * Adds a server, and returns when it has all of its share.
     *
     * @throws IllegalStateException if a move did not end
     */
    Moved add() {
        try (OpenCatalogue catalogue = OpenCatalogue.of(properties)) {
            PartitionMap map = catalogue.newest();
            PartitionId name = new PartitionId("p" + (map.partitions().size() + 1));
            MappedPartition added = MappedPartition.active(
                    name, PartitionUriParser.uri(servers.start().uri()), 1);
            Plan plan = new Planner(map, PlanFacts.NONE).add(added);
            try (PlanRun run = new PlanRun(plan, COORDINATOR, catalogue)) {
                run.run(MovePace.MODEST);
                return moved(name, plan, run.progress());
            }
        }
    }

    private static Moved moved(PartitionId name, Plan plan, List<MoveProgress> moves) {
        return new Moved(
                name,
                plan.movedSlots(),
                moves.stream().mapToLong(move -> move.copied().keys()).sum(),
                moves.stream()
                        .map(move -> move.pauses().longest())
                        .max(Duration::compareTo)
                        .orElse(Duration.ZERO));
    }
}
