// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.health.PartitionObserver;
import io.keyslot.client.health.Replies;
import io.keyslot.client.health.ScriptedConnection;
import io.keyslot.client.health.ScriptedConnector;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
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
    private static final PartitionId P3 = new PartitionId("p3");

    private static final EncodedKey KEY = EncodedKey.of("customer:1");
    private static final EncodedKey STAYING = EncodedKey.of("customer:2");

    private final ManualTime time = new ManualTime(1);
    private final ConnectLimit connects = new ConnectLimit();
    private final Map<PartitionId, ScriptedConnector> newest = new HashMap<>();
    private final List<PartitionId> made = new ArrayList<>();
    private final CurrentTopology topology = new CurrentTopology(layout(1, P1, P2), this::partition, time.timing());

    private Partition partition(PartitionOptions options) {
        PartitionId id = options.name();
        if (id.name().startsWith("impossible")) {
            throw new IllegalArgumentException(id + " cannot be");
        }
        ScriptedConnector connector = new ScriptedConnector(id + ":6379");
        newest.put(id, connector);
        made.add(id);
        return new Partition(id, connector, connects, time.timing(), PartitionObserver.NONE);
    }

    private static Layout layout(long version, PartitionId... partitions) {
        List<PartitionId> ids = List.of(partitions);
        return Topologies.layout(SlotMap.ofEqualShares(version, ids), ids);
    }

    private ScriptedConnector connector(PartitionId id) {
        return newest.getOrDefault(id, new ScriptedConnector("none"));
    }

    private long version() {
        return topology.get().slotMap().version();
    }

    private List<PartitionId> present() {
        return topology.get().partitions().stream().map(Partition::id).toList();
    }

    @BeforeEach
    void start() {
        CompletableFuture<List<ConnectFailure>> unused = topology.start(Duration.ofSeconds(1));
        connector(P1).accept(new ScriptedConnection(1));
        connector(P2).accept(new ScriptedConnection(1));
    }

    @Test
    void newPartition_isConnectedBeforeAnybodyAsksIt() {
        CompletableFuture<Boolean> adopted = topology.offer(layout(2, P1, P2, P3));
        assertThat(version()).isEqualTo(1);

        connector(P3).accept(new ScriptedConnection(1));
        assertThat(adopted).isCompletedWithValue(true);
        assertThat(version()).isEqualTo(2);
        assertThat(present()).containsExactly(P1, P2, P3);
        assertThat(connector(P3).checks()).isOne();
    }

    @Test
    void newPartitionThatDoesNotAnswer_isMissingAfterItsTime() {
        CompletableFuture<Boolean> adopted = topology.offer(layout(2, P1, P2, P3));
        time.advance(CurrentTopology.LONGEST_JOIN);

        assertThat(adopted).isCompletedWithValue(true);
        assertThat(present()).contains(P3);
    }

    @Test
    void newPartitionThatRefusesUs_isMissing_andItsSlotsAreItsOwn() {
        CompletableFuture<Boolean> adopted = topology.offer(layout(2, P1, P2, P3));
        connector(P3).fail(ConnectFailure.Kind.REJECTED, "wrong password");

        assertThat(adopted).isCompletedWithValue(true);
        assertThat(topology.get().ownerOf(Topologies.keyIn(16_383)).map(Partition::id))
                .contains(P3);
    }

    @Test
    void layoutThatIsNotNewer_changesNothing() {
        assertThat(topology.offer(layout(1, P1))).isCompletedWithValue(false);
        assertThat(present()).containsExactly(P1, P2);
    }

    @Test
    void layoutThatIsReplacedOnItsWay_isNotAdopted() {
        CompletableFuture<Boolean> second = topology.offer(layout(2, P1, P2, P3));
        ScriptedConnector unwanted = connector(P3);
        assertThat(topology.offer(layout(3, P1))).isCompletedWithValue(true);

        assertThat(unwanted.closes()).isOne();
        unwanted.accept(new ScriptedConnection(1));
        assertThat(second).isCompletedWithValue(false);
        assertThat(version()).isEqualTo(3);
    }

    @Test
    void partitionThatComesBackBeforeItHasLeft_isTheSame() {
        Partition before = topology.get().partition(P2);
        CompletableFuture<Boolean> without = topology.offer(layout(2, P1, P3));
        assertThat(topology.offer(layout(3, P1, P2))).isCompletedWithValue(true);

        assertThat(topology.get().partition(P2)).isSameAs(before);
        assertThat(made).containsExactly(P1, P2, P3);
        connector(P3).accept(new ScriptedConnection(1));
        assertThat(without).isCompletedWithValue(false);
    }

    @Test
    void partitionAtAnotherAddress_isAnotherOne() {
        Partition before = topology.get().partition(P2);
        SlotMap map = SlotMap.ofEqualShares(2, List.of(P1, P2));
        PartitionOptions moved =
                new PartitionOptions(P2, new PartitionUri(false, "elsewhere", 6379, 0, null, null), 1, List.of());
        CompletableFuture<Boolean> adopted =
                topology.offer(new Layout(map, List.of(new PartitionOptions(P1, null, 1, List.of()), moved)));
        connector(P2).accept(new ScriptedConnection(1));

        assertThat(adopted).isCompletedWithValue(true);
        assertThat(topology.get().partition(P2)).isNotNull().isNotSameAs(before);
    }

    @Test
    void layoutWithAPartitionThatCannotBe_changesNothing() {
        assertThat(topology.offer(layout(2, P1, P3, new PartitionId("impossible"))))
                .isCompletedWithValue(false);
        assertThat(present()).containsExactly(P1, P2);
        assertThat(connector(P3).closes()).isOne();
        assertThat(topology.offer(layout(2, P1))).isCompletedWithValue(true);
    }

    @Test
    void partitionThatLeaves_isClosedWhenItOwesNoAnswer_andSaysThatTheRouteIsOutdated() {
        Partition leaving = topology.get().partitions().get(1);
        ScriptedConnector line = connector(P2);
        CompletableFuture<? extends Reply<?>> underWay = leaving.send(Replies.GET, Route.plain(1), Patience.UNLIMITED);
        assertThat(topology.offer(layout(2, P1))).isCompletedWithValue(true);
        assertThat(line.closes()).isZero();
        assertThat(refusal(leaving.send(Replies.GET, Route.plain(1), Patience.UNLIMITED)))
                .isEqualTo(Refusal.STALE_ROUTE);

        line.connections().get(0).answer(Replies.ABSENT);
        assertThat(underWay).isCompletedWithValueMatching(Reply.Done.class::isInstance);
        assertThat(line.closes()).isOne();
        assertThat(refusal(leaving.send(Replies.GET, Route.plain(1), Patience.UNLIMITED)))
                .isEqualTo(Refusal.STALE_ROUTE);
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
    void slotOnItsWay_isFenced_andOthersAreNot() {
        assertThat(topology.offer(onItsWay(2, P1, P2))).isCompletedWithValue(true);

        Topology now = topology.get();
        assertThat(now.placeOf(KEY))
                .isNotNull()
                .extracting(Topology.Place::route)
                .isEqualTo(Route.fenced(2));
        assertThat(now.placeOf(STAYING))
                .isNotNull()
                .extracting(Topology.Place::route)
                .isEqualTo(Route.plain(2));
        assertThat(now.placeAt(P1).route()).isEqualTo(Route.plain(2));
        assertThat(now.isOtherEnd(P2, KEY)).isTrue();
        assertThat(now.isOtherEnd(P1, KEY)).isFalse();
    }

    @Test
    void slotsAboveThoseThatAreHashed_haveTheirPlaces() {
        SlotMap map = new SlotMap(
                2,
                Map.of(P1, List.of(new SlotRange(0, HashSlot.COUNT - 1)), P2, List.of(new SlotRange(20_000, 20_001))));
        assertThat(topology.offer(
                        new Layout(map, Topologies.layout(map, List.of(P1, P2)).partitions(), Map.of(20_001, P1))))
                .isCompletedWithValue(true);

        Topology now = topology.get();
        assertThat(now.placeOf(Topologies.keyIn(20_000)))
                .isNotNull()
                .extracting(Topology.Place::route)
                .isEqualTo(Route.plain(2));
        assertThat(now.placeOf(Topologies.keyIn(20_001)))
                .isNotNull()
                .extracting(Topology.Place::route)
                .isEqualTo(Route.fenced(2));
        assertThat(now.placeOf(Topologies.keyIn(20_001)))
                .isNotNull()
                .extracting(Topology.Place::id)
                .isEqualTo(P2);
        assertThat(now.placeOf(Topologies.keyIn(19_999))).isNull();
        assertThat(now.placeOf(Topologies.keyIn(20_002))).isNull();
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
    void whoIsRefusedForAnOutdatedMap_asksForANewerOne() {
        List<String> sought = new ArrayList<>();
        topology.ask(seeking(sought));
        Partition partition = topology.get().ownerOf(KEY).orElseThrow();
        connector(partition.id())
                .connections()
                .get(0)
                .answering(command -> new Reply.Refused<>(Refusal.MOVED, "moved", 7));

        assertThat(refusal(partition.send(new Command.Get(KEY), Route.fenced(1), Patience.UNLIMITED)))
                .isEqualTo(Refusal.MOVED);

        assertThat(sought).containsExactly("7 " + partition.id());
        assertThat(partition.isAsked()).isTrue();
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

    @Test
    void partitionThatWantsANewerMap_refusesWhoWillNeverKnowIt() {
        connector(P2).connections().get(0).lose("closed");
        connector(P2).fail(ConnectFailure.outdated("p2:6379", "the slot map has version 2 there", 2));

        Partition partition = topology.get().partition(P2);
        assertThat(partition).isNotNull();
        assertThat(partition.rejection()).isPresent();
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

    @Test
    void close_closesWhoIsOnItsWay_andAdoptsNothing() {
        CompletableFuture<Boolean> adopted = topology.offer(layout(2, P1, P2, P3));
        topology.close();

        assertThat(List.of(
                        connector(P1).closes(),
                        connector(P2).closes(),
                        connector(P3).closes()))
                .containsOnly(1);
        assertThat(adopted).isCompletedWithValue(false);
        assertThat(topology.offer(layout(3, P1))).isCompletedWithValue(false);
    }

    private static Refusal refusal(CompletableFuture<? extends Reply<?>> reply) {
        return reply.join() instanceof Reply.Refused<?> refused ? refused.refusal() : Refusal.TOO_LARGE;
    }
}
