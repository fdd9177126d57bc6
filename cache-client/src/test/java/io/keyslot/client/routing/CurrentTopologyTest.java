// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.health.ScriptedConnection;
import io.keyslot.client.health.ScriptedConnector;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CurrentTopologyTest {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final EncodedKey KEY = EncodedKey.of("customer:1");
    private static final EncodedKey STAYING = EncodedKey.of("customer:2");

    private final ManualTime time = new ManualTime(1);
    private final ConnectLimit connects = new ConnectLimit();
    private final Map<PartitionId, ScriptedConnector> newest = new HashMap<>();
    private final CurrentTopology topology = new CurrentTopology(layout(1, P1, P2), this::partition, time.timing());

    private Partition partition(PartitionOptions options) {
        PartitionId id = options.name();
        ScriptedConnector connector = new ScriptedConnector(id + ":6379");
        newest.put(id, connector);
        return new Partition(id, connector, connects, time.timing(), Telemetry.NONE);
    }

    private static Layout layout(long version, PartitionId... partitions) {
        List<PartitionId> ids = List.of(partitions);
        return Topologies.layout(SlotMap.ofEqualShares(version, ids), ids);
    }

    private ScriptedConnector connector(PartitionId id) {
        return newest.getOrDefault(id, new ScriptedConnector("none"));
    }

    @BeforeEach
    void start() {
        CompletableFuture<List<ConnectFailure>> unused = topology.start(Duration.ofSeconds(1), false);
        connector(P1).accept(new ScriptedConnection(1));
        connector(P2).accept(new ScriptedConnection(1));
    }

    private static Layout onItsWay(long version, PartitionId owner, PartitionId other) {
        List<PartitionId> ids = List.of(P1, P2);
        List<SlotRange> all = List.of(new SlotRange(0, HashSlot.COUNT - 1));
        SlotMap map = new SlotMap(version, Map.of(owner, all, other, List.of()));
        return new Layout(
                map, Topologies.layout(map, ids).partitions(), Map.of(KEY.slot(), other, STAYING.slot() + 1, other));
    }

    private List<Route> routesOfRemovals(PartitionId id) {
        ScriptedConnection connection = connector(id).connections().get(0);
        List<Route> routes = new ArrayList<>();
        for (int i = 0; i < connection.sent().size(); i++) {
            if (connection.sent().get(i) instanceof Command.RemoveAll) {
                routes.add(connection.routes().get(i));
            }
        }
        return routes;
    }

    @Test
    void deletionInASlotOnItsWay_isFenced() {
        assertThat(topology.offer(onItsWay(2, P1, P2))).isCompletedWithValue(true);

        topology.get().ownerOf(KEY).orElseThrow().forget(List.of(KEY, STAYING));

        assertThat(routesOfRemovals(P1)).containsExactlyInAnyOrder(Route.fenced(2), Route.plain(2));
    }

    @Test
    void deletionsPendingForASlotThatChangesItsOwner_arePendingByTheNewOne() {
        assertThat(topology.offer(onItsWay(2, P1, P2))).isCompletedWithValue(true);
        Partition before = topology.get().ownerOf(KEY).orElseThrow();
        before.forget(List.of(KEY)); // not answered

        assertThat(topology.offer(onItsWay(3, P2, P1))).isCompletedWithValue(true);

        assertThat(routesOfRemovals(P2)).containsExactly(Route.fenced(3));
        assertThat(before.status(0).journal()).isZero();
        Partition owner = topology.get().ownerOf(KEY).orElseThrow();
        assertThat(owner.status(0).journal()).isOne();
    }

    @Test
    void whereNoneKnowsWhatIsPending_whoeverGetsASlotGivesUpEverything() {
        assertThat(topology.offer(onItsWay(2, P1, P2))).isCompletedWithValue(true);
        topology.get().ownerOf(KEY).orElseThrow().forgetEverything();

        assertThat(topology.offer(onItsWay(3, P1, P2))).isCompletedWithValue(true);
        assertThat(owing()).containsExactly(P1);

        assertThat(topology.offer(onItsWay(4, P2, P1))).isCompletedWithValue(true);
        assertThat(owing()).containsExactly(P1, P2);
    }

    private List<PartitionId> owing() {
        return topology.get().partitions().stream()
                .filter(Partition::hasEverythingPending)
                .map(Partition::id)
                .toList();
    }

    @Test
    void partitionThatWantsANewerMap_isConnectedAsSoonAsItIsThere() {
        topology.ask(seeking(new ArrayList<>()));
        connector(P2).connections().get(0).lose("closed");
        connector(P2).fail(ConnectFailure.outdated("p2:6379", "the slot map has version 2 there", 2));
        assertThat(topology.get().partition(P2)).isNotNull();
        int attempts = connector(P2).connects();

        assertThat(topology.offer(layout(2, P1, P2))).isCompletedWithValue(true);

        assertThat(connector(P2).connects()).isEqualTo(attempts + 1);
    }

    private static TopologySource seeking(List<String> sought) {
        return new TopologySource() {
            @Override
            public Layout first() {
                return layout(1, P1, P2);
            }

            @Override
            public void listen(Consumer<Layout> listener) {}

            @Override
            public boolean isSought(long version, PartitionId partition) {
                return sought.add(version + " " + partition);
            }

            @Override
            public void close() {}
        };
    }
}
