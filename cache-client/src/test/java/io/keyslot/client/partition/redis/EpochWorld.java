// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.redis.Incarnation.State;
import io.keyslot.client.partition.redis.Incarnation.Succession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two servers behind one address, some clients, and one entry: everything that {@link HandshakeEnd} and {@link Epoch}
 * do, one answer of a server at a time, with the decisions of {@link Succession} itself.
 *
 * <p>A server that is paused is one that nobody talks to: the address leads elsewhere. Replication copies all that a
 * primary has, at any time or never, so it lags as it likes. A read and the look before it are one step, as they are on
 * the wire. Time does not pass, and a look is made before each read: so what is shown of reads is shown up to the
 * second for which the product goes without one. Writes never look: what is shown of them needs the drop alone.
 */
final class EpochWorld {
    /** What is left out of the protocol, to see that it is needed. */
    enum Mutant {
        NONE,
        NO_SERVER_RUN,
        NO_RUN_ID,
        NO_REPLICATION_ID,
        NO_MEMORY,
        /** A life is taken for a later one if it has more predecessors. */
        COUNTERS_INSTEAD_OF_ANCESTORS,
        NO_DROP,
        OPEN_BEFORE_THE_DROP,
        ID_OF_THE_SERVER,
        NAME_AFTER_THE_LOOK,
        NO_LOOK_BEFORE_READS,
        ENDED_INCARNATION_IS_USED
    }

    /**
     * What may happen at most.
     *
     * @param faults of servers, replication and the address
     * @param writes by all clients
     * @param renewals by all clients
     */
    record Bounds(int clients, int faults, int writes, int renewals) {}

    /**
     * A step that is possible.
     *
     * @param words what happens
     * @param weight how often it happens in a walk, compared with others
     * @param after the world after it
     */
    record Move(String words, int weight, Supplier<EpochWorld> after) {}

    private enum Phase {
        OUT,
        ENTERING,
        LISTING,
        DROPPING,
        NAMING,
        LOOKING,
        OPEN
    }

    private record Server(
            String run,
            String replication,
            boolean primary,
            @Nullable Incarnation record,
            Value value,
            @Nullable Incarnation savedRecord,
            Value savedValue) {
        Server with(@Nullable Incarnation newRecord, Value newValue) {
            return new Server(run, replication, primary, newRecord, newValue, savedRecord, savedValue);
        }
    }

    private record Value(int number, String incarnation) {
        private static final Value NONE = new Value(0, "");
    }

    /**
     * A client and its connection.
     *
     * @param connection a number that no other connection has
     * @param found what it took for the record, and the reign that it was told, before its next step
     * @param toDrop the connections that it was told of
     */
    private record Client(
            @Nullable Incarnation memory,
            Phase phase,
            int at,
            int connection,
            boolean named,
            @Nullable Incarnation found,
            String serverRun,
            @Nullable Incarnation incarnation,
            Set<Integer> toDrop,
            Set<String> entered) {
        Client out() {
            return new Client(memory, Phase.OUT, -1, 0, false, null, "", null, Set.of(), entered);
        }

        Client in(Phase next) {
            return new Client(memory, next, at, connection, named, found, serverRun, incarnation, toDrop, entered);
        }

        Client entering(@Nullable Incarnation record, String presentServerRun) {
            return new Client(
                    memory, Phase.ENTERING, at, connection, named, record, presentServerRun, null, Set.of(), entered);
        }
    }

    private static final Pattern DRAWN = Pattern.compile("a[0-9a-f]{3}");

    private final Mutant mutant;
    private final Bounds bounds;
    private final Server[] servers;
    private final Client[] clients;
    private int address;
    private int faults;
    private int renewals;
    private int drawn = 1;
    private int written;

    // What nobody in this world knows: how it really was.
    private final Map<String, Integer> begun;
    private final Map<String, Integer> predecessors;
    private final Map<String, Integer> acknowledged;
    private final int[] latestOpened;
    private @Nullable String violation;

    EpochWorld(Mutant mutant, Bounds bounds) {
        this.mutant = mutant;
        this.bounds = bounds;
        this.servers = new Server[] {
            new Server(drawn(), drawn(), true, null, Value.NONE, null, Value.NONE),
            new Server(drawn(), drawn(), false, null, Value.NONE, null, Value.NONE)
        };
        this.clients = IntStream.range(0, bounds.clients())
                .mapToObj(i -> new Client(null, Phase.OUT, -1, 0, false, null, "", null, Set.of(), Set.of()))
                .toArray(Client[]::new);
        this.begun = new TreeMap<>();
        this.predecessors = new TreeMap<>();
        this.acknowledged = new TreeMap<>();
        this.latestOpened = new int[servers.length];
    }

    private EpochWorld(EpochWorld other) {
        this.mutant = other.mutant;
        this.bounds = other.bounds;
        this.servers = other.servers.clone();
        this.clients = other.clients.clone();
        this.address = other.address;
        this.faults = other.faults;
        this.renewals = other.renewals;
        this.drawn = other.drawn;
        this.written = other.written;
        this.begun = new TreeMap<>(other.begun);
        this.predecessors = new TreeMap<>(other.predecessors);
        this.acknowledged = new TreeMap<>(other.acknowledged);
        this.latestOpened = other.latestOpened.clone();
    }

    /** Returns what is wrong with this world, in words; empty if nothing is. */
    Optional<String> violation() {
        if (violation != null) {
            return Optional.of(violation);
        }
        return IntStream.range(0, clients.length)
                .filter(c -> clients[c].phase() == Phase.OPEN && mayGoOn(c))
                .mapToObj(this::read)
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Returns a text that is the same for worlds in which the same things can happen. */
    String state() {
        StringBuilder text = new StringBuilder();
        for (Server server : servers) {
            text.append(server);
        }
        for (Client client : clients) {
            text.append(client.in(client.phase()))
                    .append(new TreeSet<>(client.entered()))
                    .append(new TreeSet<>(client.toDrop()));
        }
        text.append(address)
                .append(' ')
                .append(faults)
                .append(' ')
                .append(renewals)
                .append(' ')
                .append(written)
                .append(begun)
                .append(acknowledged)
                .append(predecessors)
                .append(latestOpened[0])
                .append(' ')
                .append(latestOpened[1]);
        return renamed(text);
    }

    /** What was drawn at random is called by the place where it comes first. */
    private static String renamed(CharSequence text) {
        Map<String, String> names = new HashMap<>();
        return DRAWN.matcher(text)
                .replaceAll(drawn -> names.computeIfAbsent(drawn.group(), unknown -> "#" + names.size()));
    }

    List<Move> moves() {
        List<Move> moves = new ArrayList<>();
        for (int c = 0; c < clients.length; c++) {
            addMovesOf(c, moves);
        }
        if (faults < bounds.faults()) {
            for (int s = 0; s < servers.length; s++) {
                addFaultsOf(s, moves);
            }
            moves.add(fault("the address leads to the other server", world -> world.address = 1 - world.address));
        }
        return moves;
    }

    private void addMovesOf(int c, List<Move> moves) {
        Client client = clients[c];
        String who = "client " + c + " ";
        switch (client.phase()) {
            case OUT -> {
                if (servers[address].primary()) {
                    moves.add(move(who + "connects to server " + address, 20, world -> world.connect(c)));
                }
            }
            case OPEN -> {
                if (written < bounds.writes()) {
                    moves.add(move(who + "writes " + (written + 1), 4, world -> world.write(c)));
                }
                if (renewals < bounds.renewals()) {
                    moves.add(move(who + "ends the epoch", 2, world -> world.renew(c)));
                }
            }
            default -> moves.add(move(who + "goes on " + client.phase(), 20, world -> world.goOn(c)));
        }
        if (client.phase() != Phase.OUT) {
            moves.add(move(who + "loses its connection", 1, world -> world.lose(c)));
        }
    }

    private void addFaultsOf(int s, List<Move> moves) {
        String who = "server " + s + " ";
        Server server = servers[s];
        if (server.primary()) {
            moves.add(fault(who + "loses the record", world -> world.set(s, null, server.value())));
            moves.add(fault(who + "is flushed", world -> world.set(s, null, Value.NONE)));
            moves.add(fault(who + "saves", world -> world.save(s)));
            if (servers[1 - s].primary()) {
                moves.add(fault(who + "follows the other", world -> world.follow(s)));
            }
        } else {
            moves.add(fault(who + "is promoted", world -> world.promote(s)));
            if (servers[1 - s].primary()) {
                moves.add(fault(who + "gets what the primary has", world -> world.replicate(s)));
            }
        }
        moves.add(fault(who + "restarts with what it saved", world -> world.restart(s)));
    }

    private Move move(String words, int weight, Consumer<EpochWorld> change) {
        return new Move(words, weight, () -> {
            EpochWorld next = new EpochWorld(this);
            change.accept(next);
            return next;
        });
    }

    private Move fault(String words, Consumer<EpochWorld> change) {
        return move(words, 1, world -> {
            world.faults++;
            change.accept(world);
        });
    }

    private void set(int s, @Nullable Incarnation record, Value value) {
        servers[s] = servers[s].with(record, value);
    }

    private void follow(int s) {
        Server server = servers[s];
        servers[s] = new Server(
                server.run(),
                server.replication(),
                false,
                servers[1 - s].record(),
                servers[1 - s].value(),
                server.savedRecord(),
                server.savedValue());
    }

    private void promote(int s) {
        Server server = servers[s];
        servers[s] = new Server(
                server.run(),
                drawn(),
                true,
                server.record(),
                server.value(),
                server.savedRecord(),
                server.savedValue());
    }

    private void replicate(int s) {
        set(s, servers[1 - s].record(), servers[1 - s].value());
    }

    private void save(int s) {
        Server server = servers[s];
        servers[s] = new Server(
                server.run(),
                server.replication(),
                true,
                server.record(),
                server.value(),
                server.record(),
                server.value());
    }

    /** The replication id is in the file. */
    private void restart(int s) {
        Server server = servers[s];
        servers[s] = new Server(
                drawn(),
                server.replication(),
                server.primary(),
                server.savedRecord(),
                server.savedValue(),
                server.savedRecord(),
                server.savedValue());
        latestOpened[s] = 0;
        for (int c = 0; c < clients.length; c++) {
            if (clients[c].at() == s) {
                lose(c);
            }
        }
    }

    private void lose(int c) {
        clients[c] = clients[c].out();
    }

    private void connect(int c) {
        Client client = clients[c];
        Client connected = new Client(
                client.memory(),
                Phase.ENTERING,
                address,
                unusedConnection(),
                false,
                null,
                "",
                null,
                Set.of(),
                client.entered());
        clients[c] = connected.entering(servers[address].record(), serverRun(address));
    }

    private String serverRun(int s) {
        Server server = servers[s];
        String run = mutant == Mutant.NO_RUN_ID || mutant == Mutant.NO_SERVER_RUN ? "" : server.run();
        String replication =
                mutant == Mutant.NO_REPLICATION_ID || mutant == Mutant.NO_SERVER_RUN ? "" : server.replication();
        return run + ":" + replication;
    }

    private void goOn(int c) {
        Client client = clients[c];
        switch (client.phase()) {
            case ENTERING -> enter(c);
            case LISTING -> list(c);
            case DROPPING -> drop(c);
            case NAMING -> name(c);
            default -> look(c);
        }
    }

    private void enter(int c) {
        Client client = clients[c];
        Succession next = next(client);
        if (next.step() == Succession.Step.USE) {
            Client using = new Client(
                    client.memory(),
                    mutant == Mutant.NAME_AFTER_THE_LOOK ? Phase.LOOKING : Phase.NAMING,
                    client.at(),
                    client.connection(),
                    client.named(),
                    client.found(),
                    client.serverRun(),
                    next.incarnation(),
                    Set.of(),
                    client.entered());
            clients[c] = using;
        } else if (next.step() == Succession.Step.COMPLETE) {
            clients[c] = client.in(Phase.LISTING);
        } else {
            Incarnation beginning =
                    mutant == Mutant.OPEN_BEFORE_THE_DROP ? next.incarnation().opened() : next.incarnation();
            if (record(c, client.found(), beginning)) {
                begin(beginning, client);
                if (mutant == Mutant.OPEN_BEFORE_THE_DROP) {
                    clients[c] = clients[c].in(Phase.LISTING);
                }
            }
        }
    }

    private Succession next(Client client) {
        Optional<Incarnation> found = Optional.ofNullable(client.found());
        Optional<Incarnation> memory =
                mutant == Mutant.NO_MEMORY ? Optional.empty() : Optional.ofNullable(client.memory());
        if (mutant == Mutant.ENDED_INCARNATION_IS_USED) {
            found = found.map(Incarnation::opened);
        }
        if (mutant == Mutant.COUNTERS_INSTEAD_OF_ANCESTORS) {
            boolean isLater =
                    found.isPresent() && memory.isPresent() && predecessors(found.get()) > predecessors(memory.get());
            return Succession.of(found, client.serverRun(), isLater ? Optional.empty() : memory, this::id);
        }
        if (mutant == Mutant.ID_OF_THE_SERVER) {
            return Succession.of(found, client.serverRun(), Optional.empty(), () -> idOfTheServer(client));
        }
        return Succession.of(found, client.serverRun(), memory, this::id);
    }

    private String id() {
        return "0000" + drawn() + "00000000";
    }

    /** As it was: the epoch follows from the run id and from how often it ended, by what is recorded. */
    private String idOfTheServer(Client client) {
        int ended = client.found() == null ? 0 : client.found().ancestors().size() + 1;
        return "%04x".formatted(ended) + servers[client.at()].run() + "00000000";
    }

    /** Returns what nobody has drawn before: four hexadecimal digits. */
    private String drawn() {
        return "a%03x".formatted(drawn++);
    }

    /** Numbers that nobody has in mind are given again, so that there are not more worlds than necessary. */
    private int unusedConnection() {
        return IntStream.iterate(1, i -> i + 1)
                .filter(i -> Stream.of(clients)
                        .noneMatch(client ->
                                client.connection() == i || client.toDrop().contains(i)))
                .findFirst()
                .orElseThrow();
    }

    private int predecessors(Incarnation incarnation) {
        return predecessors.getOrDefault(incarnation.id(), 0);
    }

    private void begin(Incarnation incarnation, Client by) {
        int before = Math.max(
                by.found() == null ? 0 : predecessors(by.found()), by.memory() == null ? 0 : predecessors(by.memory()));
        predecessors.put(incarnation.id(), before + 1);
        begun.put(
                incarnation.id(), begun.values().stream().mapToInt(i -> i).max().orElse(0) + 1);
    }

    /** Compares and sets; the client goes on with what is there then. Returns whether it was set. */
    private boolean record(int c, @Nullable Incarnation expected, Incarnation incarnation) {
        Client client = clients[c];
        Server server = servers[client.at()];
        if (!server.primary()) {
            lose(c);
            return false;
        }
        boolean asExpected = Objects.equals(server.record(), expected);
        if (asExpected) {
            set(client.at(), incarnation, server.value());
        }
        clients[c] = client.entering(servers[client.at()].record(), client.serverRun());
        return asExpected;
    }

    private void list(int c) {
        Client client = clients[c];
        if (!Objects.equals(servers[client.at()].record(), client.found()) && mutant != Mutant.OPEN_BEFORE_THE_DROP) {
            clients[c] = client.entering(servers[client.at()].record(), client.serverRun());
            return;
        }
        Set<Integer> others = new HashSet<>();
        for (Client other : clients) {
            if (other.at() == client.at() && other.named() && other.connection() != client.connection()) {
                others.add(other.connection());
            }
        }
        clients[c] = new Client(
                client.memory(),
                Phase.DROPPING,
                client.at(),
                client.connection(),
                client.named(),
                client.found(),
                client.serverRun(),
                null,
                Set.copyOf(others),
                client.entered());
    }

    private void drop(int c) {
        Client client = clients[c];
        if (mutant != Mutant.NO_DROP) {
            dropAll(client.toDrop());
        }
        Incarnation found = Objects.requireNonNull(client.found());
        record(c, found, found.opened());
    }

    private void dropAll(Set<Integer> connections) {
        for (int other = 0; other < clients.length; other++) {
            if (connections.contains(clients[other].connection())) {
                lose(other);
            }
        }
    }

    private void name(int c) {
        Client client = clients[c];
        clients[c] = new Client(
                client.memory(),
                mutant == Mutant.NAME_AFTER_THE_LOOK ? Phase.OPEN : Phase.LOOKING,
                client.at(),
                client.connection(),
                true,
                client.found(),
                client.serverRun(),
                client.incarnation(),
                Set.of(),
                client.entered());
        if (clients[c].phase() == Phase.OPEN) {
            open(c);
        }
    }

    private void look(int c) {
        Client client = clients[c];
        if (!goesOn(c)) {
            clients[c] = client.entering(servers[client.at()].record(), serverRun(client.at()));
        } else if (mutant == Mutant.NAME_AFTER_THE_LOOK) {
            clients[c] = client.in(Phase.NAMING);
        } else {
            open(c);
        }
    }

    private void open(int c) {
        Client client = clients[c];
        Incarnation incarnation = Objects.requireNonNull(client.incarnation());
        Set<String> entered = new HashSet<>(client.entered());
        entered.add(incarnation.id());
        clients[c] = new Client(
                incarnation,
                Phase.OPEN,
                client.at(),
                client.connection(),
                true,
                null,
                "",
                incarnation,
                Set.of(),
                Set.copyOf(entered));
        latestOpened[client.at()] = Math.max(latestOpened[client.at()], begun.getOrDefault(incarnation.id(), 0));
    }

    private boolean goesOn(int c) {
        Client client = clients[c];
        Server server = servers[client.at()];
        String[] serverRun = serverRun(client.at()).split(":", -1);
        ServerInfo info = new ServerInfo(serverRun[0], serverRun[1], !server.primary(), 7, 0, false, false);
        Optional<Incarnation> record = Optional.ofNullable(server.record());
        if (mutant == Mutant.ENDED_INCARNATION_IS_USED) {
            record = record.map(Incarnation::opened);
        }
        return Objects.requireNonNull(client.incarnation()).goesOn(record, info);
    }

    private boolean mayGoOn(int c) {
        return mutant == Mutant.NO_LOOK_BEFORE_READS || goesOn(c);
    }

    private void write(int c) {
        Client client = clients[c];
        Server server = servers[client.at()];
        Incarnation incarnation = Objects.requireNonNull(client.incarnation());
        if (!server.primary()) {
            lose(c);
            return;
        }
        written++;
        acknowledged.put(incarnation.id(), written);
        set(client.at(), server.record(), new Value(written, incarnation.id()));
        if (begun.getOrDefault(incarnation.id(), 0) < latestOpened[client.at()]) {
            violation = "client %d has written in life %s beside a later one".formatted(c, incarnation.id());
        }
    }

    /** After it everything that was written in the life counts as replaced. */
    private void renew(int c) {
        Client client = clients[c];
        Incarnation incarnation = Objects.requireNonNull(client.incarnation());
        if (!servers[client.at()].primary()) {
            lose(c);
            return;
        }
        renewals++;
        if (incarnation.equals(servers[client.at()].record())) {
            set(client.at(), incarnation.ended(), servers[client.at()].value());
        }
        Set<Integer> named = new HashSet<>();
        for (Client other : clients) {
            if (other.at() == client.at() && other.named()) {
                named.add(other.connection());
            }
        }
        dropAll(named);
        lose(c);
        acknowledged.put(incarnation.id(), bounds.writes() + 1);
    }

    /** Returns what would be wrong if this client read now. */
    private Optional<String> read(int c) {
        Client client = clients[c];
        Value value = servers[client.at()].value();
        Incarnation incarnation = Objects.requireNonNull(client.incarnation());
        if (value.number() == 0 || Incarnation.epoch(value.incarnation()) != incarnation.epoch()) {
            return Optional.empty();
        }
        Set<String> known = new TreeSet<>(client.entered());
        known.add(incarnation.id());
        return known.stream()
                .filter(other -> other.equals(incarnation.id()) || begun(other) > begun(incarnation.id()))
                .filter(other -> acknowledged.getOrDefault(other, 0) > value.number())
                .findFirst()
                .map(other -> "client %d reads %d in life %s, and %d was acknowledged in life %s"
                        .formatted(c, value.number(), incarnation.id(), acknowledged.get(other), other));
    }

    private int begun(String incarnation) {
        return begun.getOrDefault(incarnation, 0);
    }

    /** Returns whether some life is open, which shows that a search has come somewhere. */
    boolean isUsed() {
        Map<String, Integer> states = new HashMap<>();
        for (Server server : servers) {
            if (server.record() != null && server.record().state() == State.OPEN) {
                states.merge(server.record().id(), 1, Integer::sum);
            }
        }
        return !states.isEmpty();
    }
}
