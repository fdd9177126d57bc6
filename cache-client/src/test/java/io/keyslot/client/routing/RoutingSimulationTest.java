// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.health.Replies;
import io.keyslot.client.health.ScriptedConnection;
import io.keyslot.client.health.ScriptedConnector;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

/** Random schedules of commands, answers, losses, connects, slot maps and time, on one thread. */
class RoutingSimulationTest {
    private static final int SCHEDULES = Integer.getInteger("tests.routing.schedules", 1_500);

    @Test
    void randomSchedules_keepEveryInvariant() {
        for (long seed = 0; seed < SCHEDULES; seed++) {
            RoutingSimulation simulation = new RoutingSimulation(seed);
            assertThatCode(simulation::run).as("seed %d", seed).doesNotThrowAnyException();
        }
    }

    /** One random schedule for a router over three partitions; it throws when an invariant does not hold. */
    private static final class RoutingSimulation {
        private static final int STEPS = 40;
        private static final List<Refusal> REFUSALS = List.of(Refusal.values());

        private final Random random;
        private final ManualTime time;
        private final CurrentTopology topology;
        private final List<Peer> peers = new ArrayList<>();
        private final PartitionRouter router;
        private final List<CompletableFuture<?>> sent = new ArrayList<>();
        private int replies;
        private int commands;
        private int observed;

        /** How often each command that is not repeatable may be sent: once, and once for each refusal that invites to. */
        private final IdentityHashMap<Command<?>, Integer> allowed = new IdentityHashMap<>();

        /** One partition and what the simulation knows of it. */
        private static final class Peer {
            final PartitionId id;
            final ScriptedConnector connector;
            final List<ScriptedConnection> connections = new ArrayList<>();

            /** The keys that were forgotten and whose deletion was not answered with success. */
            final Set<EncodedKey> stale = new HashSet<>();

            Peer(String name) {
                id = new PartitionId(name);
                connector = new ScriptedConnector(name + ":6379");
            }

            @Nullable
            ScriptedConnection newest() {
                return connections.isEmpty() ? null : connections.get(connections.size() - 1);
            }

            int commands() {
                return connections.stream()
                        .mapToInt(connection -> connection.sent().size())
                        .sum();
            }
        }

        RoutingSimulation(long seed) {
            random = new Random(seed);
            time = new ManualTime(seed);
            ConnectLimit connects = new ConnectLimit();
            Map<PartitionId, Partition> partitions = new LinkedHashMap<>();
            for (String name : List.of("p1", "p2", "p3")) {
                Peer peer = new Peer(name);
                peers.add(peer);
                partitions.put(
                        peer.id,
                        new Partition(
                                peer.id,
                                peer.connector,
                                connects,
                                time.timing(),
                                Telemetry.NONE,
                                NOPLogger.NOP_LOGGER));
            }
            topology = Topologies.of(map(1), partitions, time.timing());
            router = new PartitionRouter(topology, time.timing(), Duration.ofMillis(100), new Telemetry() {
                @Override
                public boolean receivesCommands() {
                    return true;
                }

                @Override
                public void onReply(PartitionId partition, Command<?> command, Reply<?> reply, long nanos) {
                    observed += command instanceof Command.PutAll ? 0 : 1;
                }
            });
        }

        void run() {
            CompletableFuture<List<ConnectFailure>> started = router.start(Duration.ofSeconds(1));
            for (int step = 0; step < STEPS; step++) {
                step();
                checkPartitions();
            }
            router.close();
            for (Peer peer : peers) {
                while (peer.connector.underWay() > 0) {
                    accept(peer);
                }
            }
            check(started.isDone(), "start did not complete when the router was closed");
            checkEnd();
        }

        private void step() {
            Peer peer = peers.get(random.nextInt(peers.size()));
            switch (random.nextInt(13)) {
                case 0, 1, 2 -> sendOne();
                case 3 -> sendMany();
                case 4, 5, 6 -> answer(peer);
                case 7, 8 -> connect(peer);
                case 9 -> lose(peer);
                case 10 -> forget();
                case 11 -> time.advance(Duration.ofMillis(random.nextInt(10) == 0 ? 5_000 : random.nextInt(120)));
                default -> newMapSometimes();
            }
        }

        private Patience patience() {
            return Patience.until(time.deadline(Duration.ofMillis(random.nextInt(400))));
        }

        private EncodedKey key() {
            return EncodedKey.of("customer:" + random.nextInt(1_000_000));
        }

        private Command.Put put() {
            Command.Put put = Replies.put(key());
            allowed.put(put, 1);
            return put;
        }

        private void sendOne() {
            Command<?> command = random.nextBoolean() ? put() : new Command.Get(key());
            EncodedKey routed = Topologies.keyIn(random.nextInt(HashSlot.COUNT));
            PartitionId owner = router.ownerOf(routed).orElse(null);
            int commandsBefore = peers.stream().mapToInt(Peer::commands).sum();
            int connectsBefore =
                    peers.stream().mapToInt(peer -> peer.connector.connects()).sum();
            boolean mayBeAsked = owner != null && isAsked(statusOf(owner));
            commands += owner == null ? 0 : 1;
            CompletableFuture<? extends Reply<?>> reply = router.send(routed, command, patience());
            expectOneReply(reply);
            if (!mayBeAsked) {
                int commandsAfter = peers.stream().mapToInt(Peer::commands).sum();
                int connectsAfter = peers.stream()
                        .mapToInt(peer -> peer.connector.connects())
                        .sum();
                check(reply.isDone() && reply.getNow(null) instanceof Reply.Refused, "not refused at once");
                check(commandsAfter == commandsBefore, "a command reached a missing partition");
                check(connectsAfter == connectsBefore, "a call touched the connector");
            }
        }

        private void sendMany() {
            List<Command.Put> puts = new ArrayList<>();
            for (int i = random.nextInt(8); i > 0; i--) {
                puts.add(put());
            }
            CompletableFuture<List<Reply<Boolean>>> result = RouterFixture.putAll(router, puts, patience());
            expectOneReply(result.thenApply(all -> {
                check(all.size() == puts.size() && !all.contains(null), "a put has no reply");
                return all;
            }));
        }

        private void forget() {
            List<EncodedKey> keys = new ArrayList<>();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                keys.add(EncodedKey.of("sale:" + random.nextInt(20))); // few, so that some are forgotten again
            }
            for (EncodedKey key : keys) {
                router.ownerOf(key)
                        .ifPresent(owner -> peers.stream()
                                .filter(peer -> peer.id.equals(owner))
                                .forEach(peer -> peer.stale.add(key)));
            }
            router.forget(keys);
        }

        private void expectOneReply(CompletableFuture<?> reply) {
            sent.add(reply.whenComplete((value, failure) -> {
                check(failure == null, "a future failed");
                replies++;
            }));
        }

        private void answer(Peer peer) {
            ScriptedConnection connection = peer.newest();
            if (connection == null || connection.held() == 0) {
                return;
            }
            Command<?> command = connection.oldest();
            if (command instanceof Command.RemoveAll deletion) {
                Reply<?> reply = replyTo(command);
                if (reply instanceof Reply.Done) {
                    deletion.keys().forEach(peer.stale::remove); // executed now, whenever it was sent
                }
                connection.answer(reply);
            } else if (command instanceof Command.PutAll all && random.nextBoolean()) {
                List<Reply<?>> parts = new ArrayList<>();
                all.puts().forEach(put -> parts.add(replyTo(put)));
                connection.answer(Reply.done(parts));
            } else {
                connection.answer(replyTo(command));
            }
        }

        private Reply<?> replyTo(Command<?> command) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    Refusal refusal = REFUSALS.get(random.nextInt(REFUSALS.size()));
                    // Of a connection that says it is lost, and has not sent it: it is sent on the next one.
                    if (refusal.isWorthAnotherAttempt() || refusal == Refusal.UNAVAILABLE) {
                        permitAnother(command);
                    }
                    return Replies.refused(refusal);
                }
                case 1 -> {
                    return Replies.TIMEOUT;
                }
                default -> {
                    return Reply.done(answerTo(command));
                }
            }
        }

        private void permitAnother(Command<?> command) {
            List<? extends Command<?>> puts = command instanceof Command.PutAll all ? all.puts() : List.of(command);
            puts.forEach(put -> allowed.computeIfPresent(put, (same, times) -> times + 1));
        }

        private static Object answerTo(Command<?> command) {
            if (command instanceof Command.PutAll all) {
                return Collections.nCopies(all.puts().size(), Reply.done(true));
            }
            return command instanceof Command.Get ? Lookup.absent() : true;
        }

        private void connect(Peer peer) {
            if (peer.connector.underWay() == 0) {
                return;
            }
            switch (random.nextInt(4)) {
                case 0 -> peer.connector.fail(ConnectFailure.Kind.UNREACHABLE, "refused");
                case 1 -> peer.connector.fail(ConnectFailure.Kind.REJECTED, "wrong password");
                default -> accept(peer);
            }
        }

        private void accept(Peer peer) {
            ScriptedConnection connection = new ScriptedConnection(1 + peer.connections.size());
            peer.connections.add(connection);
            peer.connector.accept(connection);
        }

        private void lose(Peer peer) {
            ScriptedConnection connection = peer.newest();
            if (connection != null && random.nextBoolean()) {
                connection.lose("reset");
            }
        }

        private void newMapSometimes() {
            if (random.nextInt(4) == 0) {
                SlotMap before = topology.get().slotMap();
                SlotMap next = map(before.version() + 1);
                boolean unused = topology.offer(Topologies.layout(
                                next, peers.stream().map(peer -> peer.id).toList()))
                        .join();
                peers.forEach(peer -> handOver(peer, before, next));
            }
        }

        /** What a peer has not deleted of a slot that another one gets, that one may have got. */
        private void handOver(Peer from, SlotMap before, SlotMap next) {
            for (EncodedKey key : List.copyOf(from.stale)) {
                PartitionId owner = next.ownerOf(key.slot()).orElse(from.id);
                if (before.ownerOf(key.slot()).filter(from.id::equals).isPresent() && !owner.equals(from.id)) {
                    from.stale.remove(key);
                    peers.stream().filter(peer -> peer.id.equals(owner)).forEach(peer -> peer.stale.add(key));
                }
            }
        }

        /** Returns a map in which each quarter of the slots belongs to somebody or, less often, to nobody. */
        private SlotMap map(long version) {
            Map<PartitionId, List<SlotRange>> ranges = new LinkedHashMap<>();
            peers.forEach(peer -> ranges.put(peer.id, new ArrayList<>()));
            for (int first = 0; first < HashSlot.COUNT; first += HashSlot.COUNT / 4) {
                SlotRange range = new SlotRange(first, first + HashSlot.COUNT / 4 - 1);
                if (random.nextInt(8) > 0) {
                    PartitionId owner = peers.get(random.nextInt(peers.size())).id;
                    ranges.computeIfAbsent(owner, unexpected -> new ArrayList<>())
                            .add(range);
                }
            }
            return new SlotMap(version, ranges);
        }

        private PartitionStatus statusOf(PartitionId id) {
            return router.statuses().stream()
                    .filter(status -> status.id().equals(id))
                    .findFirst()
                    .orElseThrow();
        }

        private static boolean isAsked(PartitionStatus status) {
            return status.state() == PartitionState.HEALTHY || status.state() == PartitionState.SUSPECT;
        }

        private void checkPartitions() {
            List<PartitionStatus> statuses = router.statuses();
            for (int i = 0; i < peers.size(); i++) {
                checkPartition(peers.get(i), statuses.get(i));
            }
        }

        private static void checkPartition(Peer peer, PartitionStatus status) {
            ScriptedConnection newest = peer.newest();
            boolean open =
                    newest != null && !newest.isClosed() && !newest.lost().isDone();
            PartitionState state = status.state();
            check(peer.connector.underWay() <= 1, "two probes at a time");
            boolean isAwaited = isAwaited(status);
            check(
                    state == PartitionState.PROBING || isAwaited || peer.connector.underWay() == 0,
                    "a probe, but not probing");
            check(!isAsked(status) || isAwaited || open, "it is asked without a connection");
            check(state != PartitionState.MISSING || !open, "it is missing with a connection");
            check(
                    !isAsked(status) || isAwaited || isCleanFor(peer, newest),
                    "it is asked before the deletion of what was forgotten");
            check((state == PartitionState.HEALTHY) == (status.problem() == null), "state and problem do not fit");
        }

        /** Calls wait for the next connection: nothing is sent before. */
        private static boolean isAwaited(PartitionStatus status) {
            return status.state() == PartitionState.SUSPECT
                    && String.valueOf(status.problem()).startsWith("the connection was lost");
        }

        /** What is sent over this connection from now on comes after the deletion of all that was forgotten. */
        private static boolean isCleanFor(Peer peer, @Nullable ScriptedConnection connection) {
            Set<EncodedKey> deleted = new HashSet<>();
            if (connection != null) {
                connection.sent().stream()
                        .filter(Command.RemoveAll.class::isInstance)
                        .forEach(command -> deleted.addAll(((Command.RemoveAll) command).keys()));
            }
            return deleted.containsAll(peer.stale);
        }

        private void checkEnd() {
            check(sent.stream().allMatch(CompletableFuture::isDone), "a command got no reply");
            check(sent.stream().noneMatch(CompletableFuture::isCompletedExceptionally), "a check in a future failed");
            check(replies == sent.size(), "not exactly one reply for each call");
            check(observed == commands, "not every command was observed once");
            for (Peer peer : peers) {
                check(peer.connections.stream().allMatch(ScriptedConnection::isClosed), "a connection is still open");
            }
            peers.forEach(peer ->
                    peer.connections.forEach(connection -> connection.sent().forEach(this::countSent)));
            allowed.forEach((command, left) -> check(left >= 0, "sent again after an unknown outcome"));
        }

        private void countSent(Command<?> command) {
            List<? extends Command<?>> puts = command instanceof Command.PutAll all ? all.puts() : List.of(command);
            puts.forEach(put -> allowed.computeIfPresent(put, (same, left) -> left - 1));
        }

        private static void check(boolean holds, String otherwise) {
            if (!holds) {
                throw new IllegalStateException(otherwise);
            }
        }
    }
}
