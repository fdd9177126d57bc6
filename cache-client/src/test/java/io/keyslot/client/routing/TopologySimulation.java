// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.helpers.NOPLogger;

/**
 * One random schedule in which partitions come and go and slots change their owners while several callers work; it throws
 * when an invariant does not hold. Each caller has a key of its own, and its calls follow one another.
 */
final class TopologySimulation {
    /** A defect of an engine that the simulation has to find. */
    enum Mutant {
        NONE(""),
        /** A connection is made with the map of the start, whatever was announced since. */
        MAP_OF_THE_START("a command of an older map was admitted"),
        /** A connection hears of no newer map. */
        DISCONNECTED_CONNECTION("a command of an older map was admitted"),
        /** An announcement is answered before what was sent earlier. */
        HASTY_ANSWER("a partition was closed while it owed answers");

        final String violation;

        Mutant(String violation) {
            this.violation = violation;
        }
    }

    private static final int STEPS = 80;
    private static final int CALLERS = 6;
    private static final int SHARES = 8;
    private static final Duration CALL = Duration.ofMillis(250);

    private final Mutant mutant;
    private final Random random;
    private final ManualTime time;
    private final ConnectLimit connects = new ConnectLimit();
    private final List<Server> servers = new ArrayList<>();
    private final List<SimulatedLine> lines = new ArrayList<>();
    private final List<Caller> callers = new ArrayList<>();
    private final CurrentTopology topology;
    private final PartitionRouter router;
    private final Map<Long, SlotMap> maps = new HashMap<>();
    private SlotMap last;

    /** How many calls ended in which way, over the whole schedule: so that a test can see that it shows something. */
    private final Map<String, Integer> seen;

    /** What an instance has stored, whoever is connected to it. */
    private record Server(PartitionId id, Map<EncodedKey, Envelope> entries) {}

    /** One thread of the application. */
    private final class Caller {
        final EncodedKey key;

        /** What the last write that was acknowledged has stored, and the map when it began; null if that is not known. */
        @Nullable
        Long acknowledged = 0L;

        long acknowledgedBy = 1;
        long begun;

        @Nullable
        CompletableFuture<?> underWay;

        /** Whom it has looked up, before it was suspended. */
        @Nullable
        Topology lookedUp;

        Caller(int number) {
            key = EncodedKey.of("customer:" + number);
        }

        void step() {
            if (underWay != null && !underWay.isDone()) {
                return;
            }
            if (lookedUp != null) {
                sendLate(lookedUp);
                lookedUp = null;
            } else if (random.nextInt(3) == 0) {
                lookedUp = topology.get();
            } else if (random.nextBoolean()) {
                write();
            } else {
                read();
            }
        }

        private Patience patience() {
            return Patience.until(time.deadline(CALL));
        }

        /** As the router does it, but with an eternity between its look at the map and the sending. */
        private void sendLate(Topology then) {
            Partition partition = then.ownerOf(key).orElse(null);
            if (partition == null) {
                return;
            }
            long version = then.slotMap().version();
            boolean isOutdated = version < topology.get().slotMap().version();
            Command.Put put = put(++begun);
            acknowledged = null;
            underWay = partition.send(put, Route.plain(version), patience()).thenAccept(reply -> {
                check(!isOutdated || reply instanceof Reply.Refused, "a route of an older map was taken: " + reply);
                if (isOutdated && !topology.get().partitions().contains(partition)) {
                    count("left");
                    check(
                            reply instanceof Reply.Refused<?> refused && refused.refusal() == Refusal.STALE_ROUTE,
                            "who has left says " + reply);
                }
            });
        }

        private void write() {
            Command.Put put = put(++begun);
            long stamp = begun;
            long by = topology.get().slotMap().version();
            acknowledged = null;
            underWay = router.send(key, put, patience()).thenAccept(reply -> {
                count(reply.getClass().getSimpleName());
                if (reply instanceof Reply.Done) {
                    acknowledged = stamp;
                    acknowledgedBy = by;
                }
            });
        }

        private void read() {
            Long before = acknowledged;
            long by = acknowledgedBy;
            underWay = router.send(key, new Command.Get(key), patience()).thenAccept(reply -> {
                if (reply instanceof Reply.Done<Lookup> done && before != null && isUnmoved(by)) {
                    Envelope found = done.value().envelope();
                    check((found == null ? 0 : found.stamp()) == before, "an acknowledged write is gone");
                    count("read");
                }
            });
        }

        /** Returns whether the key's slot has had one owner since that version. */
        private boolean isUnmoved(long since) {
            Optional<PartitionId> owner = topology.get().slotMap().ownerOf(key.slot());
            return maps.values().stream()
                    .filter(map -> map.version() >= since)
                    .allMatch(map -> map.ownerOf(key.slot()).equals(owner));
        }

        private Command.Put put(long stamp) {
            return new Command.Put(key, Envelope.of(stamp, new byte[0]), Expiry.NEVER, Expiry.NEVER);
        }
    }

    TopologySimulation(long seed, Mutant mutant, Map<String, Integer> seen) {
        this.mutant = mutant;
        this.seen = seen;
        this.random = new Random(seed);
        this.time = new ManualTime(seed);
        for (int i = 1; i <= 4; i++) {
            servers.add(new Server(new PartitionId("p" + i), new HashMap<>()));
        }
        for (int i = 0; i < CALLERS; i++) {
            callers.add(new Caller(i));
        }
        SlotMap first = SlotMap.ofEqualShares(
                1, servers.subList(0, 2).stream().map(Server::id).toList());
        maps.put(1L, first);
        last = first;
        topology = new CurrentTopology(Topologies.layout(first, first.partitions()), this::made, time.timing());
        router = new PartitionRouter(topology, time.timing(), SimulatedLine.COMMAND_TIMEOUT, Telemetry.NONE);
    }

    private Partition made(PartitionOptions options) {
        Server server = servers.stream()
                .filter(each -> each.id().equals(options.name()))
                .findFirst()
                .orElseThrow();
        SimulatedLine line = new SimulatedLine(server.id(), server.entries(), time, mutant, this::admitted);
        lines.add(line);
        return new Partition(server.id(), line, connects, time.timing(), Telemetry.NONE, NOPLogger.NOP_LOGGER);
    }

    /** A connection takes a command: from here on it will be executed. */
    private void admitted(PartitionId partition, Command<?> command, long version) {
        SlotMap map = Objects.requireNonNull(maps.get(version), "routed by a map that was never offered");
        check(version >= topology.get().slotMap().version(), "a command of an older map was admitted");
        EncodedKey key = command.consulted().isEmpty()
                ? ((Command.Put) command).key()
                : command.consulted().get(0);
        check(map.ownerOf(key.slot()).filter(partition::equals).isPresent(), "sent to who does not own the slot");
    }

    void run() {
        CompletableFuture<List<ConnectFailure>> started = router.start(Duration.ofSeconds(1));
        for (int step = 0; step < STEPS; step++) {
            step();
            checkTopology();
        }
        settle();
        check(started.isDone(), "the start did not end");
        callers.forEach(caller -> check(caller.underWay == null || caller.underWay.isDone(), "a call hangs"));
        checkLeft();
        router.close();
        checkNoFailure();
        check(lines.stream().allMatch(SimulatedLine::isClosed), "a line is still open");
    }

    private void step() {
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> callers.get(random.nextInt(CALLERS)).step();
            case 4, 5, 6 -> line().answer();
            case 7 -> line().connect(random.nextInt(5) > 0);
            case 8 -> line().lose(random.nextInt(3) == 0);
            case 9 -> time.advance(Duration.ofMillis(random.nextInt(20) == 0 ? 2_500 : random.nextInt(60)));
            default -> offerSometimes();
        }
        checkNoFailure();
    }

    private SimulatedLine line() {
        return lines.get(random.nextInt(lines.size()));
    }

    /** A check in a continuation has made its future fail. */
    private void checkNoFailure() {
        for (Caller caller : callers) {
            CompletableFuture<?> call = caller.underWay;
            if (call != null && call.isCompletedExceptionally()) {
                call.join();
            }
        }
    }

    private void offerSometimes() {
        if (random.nextInt(3) > 0) {
            return;
        }
        SlotMap map = nextMap();
        maps.put(map.version(), map);
        // Who is given a slot has nothing of it: that is what a source has to see to.
        for (Server server : servers) {
            server.entries().keySet().removeIf(key -> isOwner(server, map, key) && !isOwner(server, last, key));
        }
        last = map;
        CompletableFuture<Boolean> unused = topology.offer(Topologies.layout(map, map.partitions()));
    }

    private static boolean isOwner(Server server, SlotMap map, EncodedKey key) {
        return map.ownerOf(key.slot()).filter(server.id()::equals).isPresent();
    }

    /** One share changes its owner, or a partition goes, or it comes. */
    private SlotMap nextMap() {
        List<PartitionId> present = new ArrayList<>();
        int going = random.nextInt(4) == 0 ? random.nextInt(servers.size()) : -1;
        for (int i = 0; i < servers.size(); i++) {
            PartitionId id = servers.get(i).id();
            if (i != going && (last.partitions().contains(id) || random.nextInt(3) == 0)) {
                present.add(id);
            }
        }
        if (present.isEmpty()) {
            present.add(servers.get(0).id());
        }
        Map<PartitionId, List<SlotRange>> ranges = new LinkedHashMap<>();
        present.forEach(id -> ranges.put(id, new ArrayList<>()));
        int moving = random.nextInt(SHARES);
        for (int share = 0; share < SHARES; share++) {
            int size = HashSlot.COUNT / SHARES;
            PartitionId owner = last.ownerOf(share * size).orElse(null);
            boolean moves = share == moving || owner == null || !present.contains(owner);
            List<SlotRange> its = ranges.get(moves ? present.get(random.nextInt(present.size())) : owner);
            if (its != null) {
                its.add(new SlotRange(share * size, (share + 1) * size - 1));
            }
        }
        return new SlotMap(last.version() + 1, ranges);
    }

    private void checkTopology() {
        Topology now = topology.get();
        List<PartitionId> partitions =
                now.partitions().stream().map(Partition::id).toList();
        check(partitions.equals(now.slotMap().partitions()), "map and partitions are of two layouts");
    }

    /** Lets everything end that can. */
    private void settle() {
        for (int i = 0; i < 60; i++) {
            for (SimulatedLine line : List.copyOf(lines)) {
                line.connect(true);
                line.answerAll();
            }
            time.advance(Duration.ofMillis(200));
        }
        check(topology.get().slotMap().version() == last.version(), "the newest layout is not adopted");
    }

    private void checkLeft() {
        List<PartitionId> present = topology.get().slotMap().partitions();
        for (int i = 0; i < lines.size(); i++) {
            SimulatedLine line = lines.get(i);
            boolean isNewest = lines.subList(i + 1, lines.size()).stream()
                    .noneMatch(later -> later.id().equals(line.id()));
            boolean isPresent = isNewest && present.contains(line.id());
            check(line.isClosed() != isPresent, "who has left is open, or who is here is closed");
            check(!line.hasCutAnswers(), "a partition was closed while it owed answers");
        }
    }

    private void count(String what) {
        seen.merge(what, 1, Integer::sum);
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
