// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.PushListener;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.helpers.NOPLogger;

/**
 * One random schedule in which a slot moves from one server to the other and back while two processes work; it throws when an
 * acknowledged write is lost, or a read is stale. The processes learn of each map when the schedule says so. Each key is
 * written by one caller, and read by all.
 */
final class MoveSimulation {
    /** A defect that the simulation has to find. */
    enum Mutant {
        NONE,
        /** A server does not ask the fence before it reads. */
        READS_WITHOUT_FENCE,
        /** A server does not note what is written while it gives a slot away. */
        NOTHING_NOTED,
        /** A connection takes its name, and goes on to send what was routed by an older map. */
        DISCONNECTED_VERSION_GUARD,
        /** The name of a connection overtakes what was sent before it. */
        HASTY_NAME,
        /** A client with an older map than the server wants may connect. */
        NO_MIN_VERSION,
        /** The one that gave the slot goes on to serve it after the commit. */
        NEVER_MOVED
    }

    static final String VIOLATION = "a read is stale, or an acknowledged write is lost";

    private static final int STEPS = 1_600;
    private static final int KEYS = 3;
    private static final Duration CALL = Duration.ofMillis(250);

    private final Mutant mutant;
    private final Random random;
    private final ManualTime time;
    private final ConnectLimit connects = new ConnectLimit();
    private final MovingServer one;
    private final MovingServer two;
    private final List<Client> clients = new ArrayList<>();
    private final List<Register> registers = new ArrayList<>();
    private final List<MovingLine> lines = new ArrayList<>();
    private final Coordinator coordinator;
    private int moves;
    private int reads;

    /** A key, and what has been written under it: the numbers of the writes rise. */
    private static final class Register {
        final EncodedKey key;
        final List<Boolean> isRemoval = new ArrayList<>(List.of(true));
        int acknowledged;

        Register(EncodedKey key) {
            this.key = key;
        }

        int begun() {
            return isRemoval.size() - 1;
        }

        boolean isPossible(@Nullable Envelope found, int from) {
            if (found != null) {
                return found.stamp() >= from && found.stamp() <= begun();
            }
            return isRemoval.subList(from, isRemoval.size()).contains(true);
        }
    }

    /** One thread of an application. */
    private final class Caller {
        final Client client;
        final @Nullable Register own;

        @Nullable
        CompletableFuture<?> underWay;

        /** Whom it has looked up, before it was suspended. */
        Topology.@Nullable Place lookedUp;

        private Deadline deadline = time.deadline(CALL);

        Caller(Client client, @Nullable Register own) {
            this.client = client;
            this.own = own;
        }

        void step() {
            CompletableFuture<?> before = underWay;
            if (before != null && !before.isDone()) {
                return;
            }
            if (before != null) {
                before.join();
            }
            Topology.Place place = lookedUp;
            if (own == null || random.nextInt(3) == 0) {
                read(registers.get(random.nextInt(KEYS)));
            } else if (place != null) {
                lookedUp = null;
                writeLate(own, place);
            } else if (random.nextInt(4) == 0) {
                lookedUp = client.topology.get().placeOf(own.key);
            } else {
                write(own);
            }
        }

        /** Who calls gives the call before up, as the door to the partitions does: nothing is sent for it any more. */
        private Patience patience() {
            deadline.giveUp();
            deadline = time.deadline(CALL);
            return Patience.until(deadline);
        }

        private void read(Register register) {
            int from = register.acknowledged;
            CompletableFuture<? extends List<? extends Reply<Lookup>>> replies = random.nextBoolean()
                    ? client.router
                            .send(register.key, new Command.Get(register.key), patience())
                            .thenApply(List::of)
                    : RouterFixture.getAll(client.router, List.of(register.key), patience());
            underWay = replies.thenAccept(all -> {
                if (all.get(0) instanceof Reply.Done<Lookup> done) {
                    reads++;
                    Envelope found = done.value().envelope();
                    check(register.isPossible(found, from), VIOLATION);
                }
            });
        }

        private Command<?> next(Register register) {
            boolean isRemoval = random.nextInt(3) == 0;
            register.isRemoval.add(isRemoval);
            return isRemoval
                    ? new Command.RemoveAll(List.of(register.key))
                    : new Command.Put(
                            register.key, Envelope.of(register.begun(), new byte[0]), Expiry.NEVER, Expiry.NEVER);
        }

        private void write(Register register) {
            Command<?> command = next(register);
            acknowledge(register, client.router.send(register.key, command, patience()));
        }

        /** As the router does it, but with an eternity between its look at the map and the sending. */
        private void writeLate(Register register, Topology.Place place) {
            Partition partition = place.partition();
            if (partition != null) {
                acknowledge(register, partition.send(next(register), place.route(), patience()));
            }
        }

        private void acknowledge(Register register, CompletableFuture<? extends Reply<?>> replying) {
            int number = register.begun();
            underWay = replying.thenAccept(reply -> {
                if (reply instanceof Reply.Done) {
                    register.acknowledged = number;
                } else if (reply instanceof Reply.Refused) {
                    // It was not done: nobody may ever see it, and it stands for what was there before.
                    register.isRemoval.set(number, false);
                }
            });
        }
    }

    /** A client with its own view of the map. */
    private final class Client implements TopologySource {
        final CurrentTopology topology;
        final PartitionRouter router;
        boolean seeks;

        Client(Layout first) {
            topology = new CurrentTopology(first, this::made, time.timing());
            topology.ask(this);
            router = new PartitionRouter(topology, time.timing(), MovingLine.COMMAND_TIMEOUT, Telemetry.NONE);
        }

        private Partition made(PartitionOptions options) {
            MovingLine line = new MovingLine(server(options.name()), time, mutant);
            lines.add(line);
            return new Partition(options.name(), line, connects, time.timing(), Telemetry.NONE, NOPLogger.NOP_LOGGER);
        }

        void follow() {
            seeks = false;
            boolean unused = topology.offer(coordinator.newest).join();
        }

        @Override
        public Layout first() {
            return coordinator.newest;
        }

        @Override
        public void listen(Consumer<Layout> listener) {}

        @Override
        public boolean isSought(long version, PartitionId partition) {
            seeks = true;
            return true;
        }

        @Override
        public void close() {}
    }

    /** Moves the slot of all keys, one step at a time. */
    private final class Coordinator {
        private MovingServer from;
        private MovingServer to;
        private Layout newest;
        private int step;

        Coordinator() {
            from = one;
            to = two;
            newest = layout(1, from, null);
        }

        void step() {
            switch (step) {
                case 0 -> {
                    to.purge();
                    to.fence(State.IMPORTING, 0);
                }
                case 1 -> from.fence(State.MOVING, 0);
                case 2 -> newest = layout(version() + 1, from, to);
                case 3 -> from.minVersion = version();
                case 4 -> {
                    if (!from.areAllNamed(version())) {
                        killLate();
                        return;
                    }
                }
                case 5 -> to.take(from.everything());
                case 6 -> to.take(from.noted());
                case 7 -> from.fence(State.FROZEN, 0);
                case 8 -> to.take(from.noted());
                case 9 -> newest = layout(version() + 1, to, from);
                case 10 -> {
                    if (mutant != Mutant.NEVER_MOVED) {
                        from.fence(State.MOVED, version());
                    } else {
                        from.fence(State.OWNED, 0);
                    }
                }
                case 11 -> {
                    to.fence(State.OWNED, 0);
                    to.minVersion = version();
                }
                case 12 -> newest = layout(version() + 1, to, null);
                default -> {
                    if (!from.areAllNamed(version()) || !to.areAllNamed(version())) {
                        killLate();
                        return;
                    }
                    from.purge();
                    from.fence(null, 0);
                    to.fence(null, 0);
                    MovingServer next = from;
                    from = to;
                    to = next;
                    moves++;
                    step = -1;
                }
            }
            step++;
        }

        private long version() {
            return newest.slotMap().version();
        }

        private void killLate() {
            if (random.nextInt(10) == 0) {
                lines.forEach(line -> line.killBefore(version()));
            }
        }
    }

    MoveSimulation(long seed, Mutant mutant) {
        this.mutant = mutant;
        this.random = new Random(seed);
        this.time = new ManualTime(seed);
        this.one = new MovingServer(new PartitionId("p1"), mutant);
        this.two = new MovingServer(new PartitionId("p2"), mutant);
        this.coordinator = new Coordinator();
        for (int i = 0; i < KEYS; i++) {
            registers.add(new Register(EncodedKey.of("order:{customer:7}" + i)));
        }
        for (int i = 0; i < 2; i++) {
            clients.add(new Client(coordinator.newest));
        }
    }

    private MovingServer server(PartitionId id) {
        return id.equals(one.id) ? one : two;
    }

    /** @param other the other end of the move, null if nothing moves */
    private Layout layout(long version, MovingServer owner, @Nullable MovingServer other) {
        MovingServer rest = owner.equals(one) ? two : one;
        SlotMap map = new SlotMap(
                version, Map.of(owner.id, List.of(new SlotRange(0, HashSlot.COUNT - 1)), rest.id, List.of()));
        Layout stable = Topologies.layout(map, List.of(one.id, two.id));
        int slot = EncodedKey.of("order:{customer:7}0").slot();
        return other == null ? stable : new Layout(map, stable.partitions(), Map.of(slot, other.id));
    }

    /** Returns how many moves were done, and how many reads were compared. */
    List<Integer> run() {
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            callers.add(new Caller(clients.get(i % 2), registers.get(i)));
            callers.add(new Caller(clients.get((i + 1) % 2), null));
        }
        clients.forEach(client -> {
            CompletableFuture<?> unused = client.router.start(Duration.ofSeconds(1));
        });
        for (int i = 0; i < STEPS; i++) {
            step(callers);
        }
        clients.forEach(client -> client.router.close());
        callers.forEach(caller -> {
            if (caller.underWay != null && caller.underWay.isDone()) {
                caller.underWay.join();
            }
        });
        return List.of(moves, reads);
    }

    private void step(List<Caller> callers) {
        switch (random.nextInt(14)) {
            case 0, 1, 2, 3 -> callers.get(random.nextInt(callers.size())).step();
            case 4, 5, 6, 7 -> line().execute();
            case 8 -> line().accept();
            case 9 -> loseSometimes();
            case 10 -> time.advance(Duration.ofMillis(random.nextInt(20) == 0 ? 300 : random.nextInt(8)));
            case 11 -> {
                Client client = clients.get(random.nextInt(2));
                if (client.seeks || random.nextInt(5) == 0) {
                    client.follow();
                }
            }
            default -> coordinator.step();
        }
    }

    private MovingLine line() {
        return lines.get(random.nextInt(lines.size()));
    }

    private void loseSometimes() {
        if (random.nextInt(5) == 0) {
            line().lose("reset");
        }
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    /** The way of one process to a {@link MovingServer}, in whose line everything is executed in its order. For one thread. */
    private static final class MovingLine implements PartitionConnector {
        static final Duration COMMAND_TIMEOUT = Duration.ofMillis(100);

        private final MovingServer server;
        private final ManualTime time;
        private final Mutant mutant;
        private @Nullable CompletableFuture<PartitionConnection> connecting;
        private @Nullable Line line;
        private long announced;

        MovingLine(MovingServer server, ManualTime time, Mutant mutant) {
            this.server = server;
            this.time = time;
            this.mutant = mutant;
        }

        @Override
        public String address() {
            return server.id + ":6379";
        }

        @Override
        public CompletableFuture<PartitionConnection> connect() {
            connecting = new CompletableFuture<>();
            return connecting;
        }

        @Override
        public CompletableFuture<Void> look() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void announce(SlotMap newest) {
            announced = Math.max(announced, newest.version());
        }

        /** Lets an attempt end: the handshake is one step, and the connection knows the map that was announced before it. */
        void accept() {
            CompletableFuture<PartitionConnection> attempt = connecting;
            if (attempt == null) {
                return;
            }
            connecting = null;
            if (server.minVersion > announced && mutant != Mutant.NO_MIN_VERSION) {
                attempt.completeExceptionally(ConnectFailure.outdated(address(), "outdated", server.minVersion));
            } else {
                Line next = new Line(announced);
                line = next;
                attempt.complete(next);
            }
        }

        void execute() {
            if (line != null) {
                line.execute();
            }
        }

        void lose(String why) {
            if (line != null) {
                line.lose(why);
            }
        }

        void killBefore(long version) {
            if (line != null && line.name[0] < version) {
                line.lose("killed");
            }
        }

        @Override
        public void close() {
            lose("closed");
        }

        /** Something in the line: a command, or a name if there is none. */
        private record Taken(@Nullable Command<?> command, Route route, CompletableFuture<Reply<Object>> reply) {}

        private final class Line implements PartitionConnection {
            private final CompletableFuture<String> lost = new CompletableFuture<>();
            private final Deque<Taken> taken = new ArrayDeque<>();
            private final long[] name;
            private long versionGuard;
            private boolean broken;

            Line(long version) {
                versionGuard = version;
                name = server.list(version);
            }

            @Override
            @SuppressWarnings("unchecked") // the type of the answer follows from the command's
            public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
                if (broken) {
                    return CompletableFuture.completedFuture(
                            Reply.refused(Refusal.UNAVAILABLE, "the connection is lost"));
                }
                if (route.mapVersion() < versionGuard && mutant != Mutant.DISCONNECTED_VERSION_GUARD) {
                    return CompletableFuture.completedFuture(
                            Reply.refused(Refusal.STALE_ROUTE, "announced is " + versionGuard));
                }
                return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) take(command, route);
            }

            private CompletableFuture<Reply<Object>> take(@Nullable Command<?> command, Route route) {
                Taken next = new Taken(command, route, new CompletableFuture<>());
                taken.add(next);
                time.timing()
                        .schedule(
                                () -> next.reply().complete(Reply.unknown("no answer in time", null)),
                                COMMAND_TIMEOUT.toNanos());
                return next.reply();
            }

            @Override
            public CompletableFuture<Reply<Boolean>> announce(long version) {
                versionGuard = Math.max(versionGuard, version);
                if (mutant == Mutant.HASTY_NAME) {
                    name[0] = versionGuard;
                }
                return take(null, Route.plain(versionGuard)).thenApply(done -> Reply.done(true));
            }

            void execute() {
                Taken next = taken.poll();
                if (next == null) {
                    return;
                }
                if (next.command() == null) {
                    name[0] = Math.max(name[0], next.route().mapVersion());
                    next.reply().complete(Reply.done(true));
                } else {
                    next.reply().complete(untyped(server.execute(next.command(), next.route())));
                }
            }

            @SuppressWarnings("unchecked") // the type of the answer follows from the command's
            private static Reply<Object> untyped(Reply<?> reply) {
                return (Reply<Object>) reply;
            }

            /** What was sent is never executed: it has not arrived. */
            void lose(String why) {
                if (broken) {
                    return;
                }
                broken = true;
                server.forget(name);
                List<Taken> cut = List.copyOf(taken);
                taken.clear();
                cut.forEach(each -> each.reply().complete(Reply.unknown("no answer: " + why, null)));
                lost.complete(why);
            }

            @Override
            public void listen(PushListener listener) {}

            @Override
            public int epoch() {
                return 1;
            }

            @Override
            public CompletableFuture<String> lost() {
                return lost;
            }

            @Override
            public void close() {
                lose("closed");
            }
        }
    }
}
