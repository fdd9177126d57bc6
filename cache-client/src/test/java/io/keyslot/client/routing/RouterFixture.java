// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.health.ScriptedConnection;
import io.keyslot.client.health.ScriptedConnector;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A router over two scripted partitions, p1 with the lower half of the slots and p2 with the upper. */
final class RouterFixture {
    static final PartitionId P1 = new PartitionId("p1");
    static final PartitionId P2 = new PartitionId("p2");
    static final Duration CALL = Duration.ofMillis(250);
    static final Duration COMMAND = Duration.ofMillis(100);

    final ManualTime time = new ManualTime(1);
    final ScriptedConnector connector1 = new ScriptedConnector("host1:6379");
    final ScriptedConnector connector2 = new ScriptedConnector("host2:6379");
    final ScriptedConnection connection1 = new ScriptedConnection(1);
    final ScriptedConnection connection2 = new ScriptedConnection(2);
    final CurrentTopology topology = topology();
    final PartitionRouter router = new PartitionRouter(topology, time.timing(), COMMAND, Telemetry.NONE);

    private CurrentTopology topology() {
        ConnectLimit connects = new ConnectLimit();
        return new CurrentTopology(
                layout(SlotMap.ofEqualShares(1, List.of(P1, P2))),
                options -> new Partition(
                        options.name(),
                        options.name().equals(P1) ? connector1 : connector2,
                        connects,
                        time.timing(),
                        Telemetry.NONE),
                time.timing());
    }

    private static Layout layout(SlotMap map) {
        return Topologies.layout(map, List.of(P1, P2));
    }

    /** Adopts a map of the same partitions; returns whether it was newer. */
    boolean offer(SlotMap map) {
        return topology.offer(layout(map)).join();
    }

    RouterFixture started() {
        CompletableFuture<List<ConnectFailure>> unused = router.start(Duration.ofSeconds(1));
        connector1.accept(connection1);
        connector2.accept(connection2);
        return this;
    }

    /** The first partition loses its connection, and gets no other for as long as calls wait for one. */
    void losePartition1() {
        connection1.lose("reset");
        time.advance(connector1.patience());
    }

    Deadline deadline() {
        return time.deadline(CALL);
    }

    Patience patience() {
        return Patience.until(deadline());
    }

    /** Gives all slots to one partition, by a newer map. */
    void giveAllTo(PartitionId owner) {
        PartitionId other = owner.equals(P1) ? P2 : P1;
        offer(new SlotMap(
                topology.get().slotMap().version() + 1,
                Map.of(owner, List.of(new SlotRange(0, 16383)), other, List.<SlotRange>of())));
    }

    /** Returns different keys whose slots belong to the partition by the first slot map. */
    static List<EncodedKey> keysOf(PartitionId owner, int count) {
        List<EncodedKey> keys = new ArrayList<>();
        for (int i = 0; keys.size() < count; i++) {
            EncodedKey key = EncodedKey.of("customer:" + i);
            if ((key.slot() < 8192) == owner.equals(P1)) {
                keys.add(key);
            }
        }
        return keys;
    }

    static CompletableFuture<List<Reply<Lookup>>> getAll(
            PartitionRouter router, List<EncodedKey> keys, Patience patience) {
        return each(router, new BulkCommand.Get(keys), patience);
    }

    static CompletableFuture<List<Reply<Boolean>>> putAll(
            PartitionRouter router, List<Command.Put> puts, Patience patience) {
        return each(router, new BulkCommand.Put(puts), patience);
    }

    private static <R> CompletableFuture<List<Reply<R>>> each(
            PartitionRouter router, BulkCommand<?, ?, R> command, Patience patience) {
        return router.send(Call.of(command, patience))
                .thenApply(reply -> Call.each(reply, command.items().size()));
    }
}
