// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import io.keyslot.slot.HashSlot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of servers on this machine: primaries that share all slots, each with the same number of replicas.
 * <ul>
 *   <li>It is ready when it is returned: all nodes agree on the owners of the slots, and replicas are in sync.
 *   <li>Methods that change it wait until the nodes agree again, at most 60 s, and report the reason if they do
 *       not.
 *   <li>To kill, suspend or restart a node, use its {@linkplain ClusterNode#server() process}; then only
 *       {@link #awaitAgreement()} waits.
 *   <li>Safe for use by several threads, except for concurrent changes of the same slots.
 * </ul>
 */
public final class LocalCluster implements AutoCloseable {
    private static final int PAUSE_MILLIS = 20;

    private static final int ATTEMPTS = 3_000;

    /** Later arguments win, so an argument of the caller replaces the same one here. */
    private static final List<String> ARGUMENTS = List.of(
            "--cluster-enabled", "yes",
            "--cluster-config-file", "nodes.conf",
            "--cluster-node-timeout", "5000",
            "--cluster-replica-validity-factor", "0",
            "--cluster-allow-replica-migration", "no",
            "--repl-diskless-sync-delay", "0");

    private final LocalServers servers;
    private final String[] arguments;
    private final List<ClusterNode> nodes = new ArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);

    private LocalCluster(LocalServers servers, String... arguments) {
        this.servers = servers;
        this.arguments = Stream.concat(ARGUMENTS.stream(), Stream.of(arguments)).toArray(String[]::new);
    }

    /**
     * Starts a cluster and waits until it serves; throws IllegalStateException if the nodes do not agree. It has at
     * least 3 primaries, because fewer cannot agree that one has failed. The arguments
     * {@code "--cluster-node-timeout", "1000"} shorten the failure detection from 5 s.
     */
    public static LocalCluster start(int primaries, int replicas, String... arguments) {
        if (primaries < 3 || replicas < 0) {
            throw new IllegalArgumentException(
                    "A cluster of %d primaries with %d replicas each: at least 3 and 0".formatted(primaries, replicas));
        }
        LocalServers servers = TestServers.none();
        try {
            LocalCluster cluster = new LocalCluster(servers, arguments);
            cluster.form(primaries, replicas);
            return cluster;
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    private void form(int primaries, int replicas) {
        for (int i = 0; i < primaries * (replicas + 1); i++) {
            nodes.add(new ClusterNode(servers.start(arguments)));
        }
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).ask("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        for (int i = 0; i < primaries; i++) {
            addSlots(nodes.get(i), HashSlot.COUNT * i / primaries, HashSlot.COUNT * (i + 1) / primaries);
        }
        nodes.subList(1, nodes.size()).forEach(node -> meet(nodes.get(0), node));
        await("all nodes know each other", () -> nodes.stream().allMatch(this::knowsAll));
        for (int i = primaries; i < nodes.size(); i++) {
            nodes.get(i).ask("CLUSTER", "REPLICATE", nodes.get(i % primaries).id());
        }
        awaitAgreement();
    }

    private static void addSlots(ClusterNode node, int first, int end) {
        node.ask(Stream.concat(
                        Stream.of("CLUSTER", "ADDSLOTS"),
                        IntStream.range(first, end).mapToObj(Integer::toString))
                .toArray(String[]::new));
    }

    private static void meet(ClusterNode node, ClusterNode foreign) {
        node.ask("CLUSTER", "MEET", "127.0.0.1", Integer.toString(foreign.port()));
    }

    private boolean knowsAll(ClusterNode node) {
        List<KnownNodes.Member> members = node.view().members();
        return members.size() == nodes().size() && members.stream().noneMatch(KnownNodes.Member::isUnsettled);
    }

    /** Returns the nodes in the order in which they joined, stopped ones included. */
    public List<ClusterNode> nodes() {
        synchronized (nodes) {
            return List.copyOf(nodes);
        }
    }

    /** Returns the addresses of all nodes; each one is enough for a client to find the others. */
    public List<String> uris() {
        return nodes().stream().map(ClusterNode::uri).toList();
    }

    /** Returns the running nodes that report themselves as primaries, in the order in which they joined. */
    public List<ClusterNode> primaries() {
        return nodes().stream().filter(ClusterNode::isPrimary).toList();
    }

    /** Returns the running primary that owns a slot; throws IllegalStateException if there is none. */
    public ClusterNode ownerOf(int slot) {
        return primaries().stream()
                .filter(node -> node.view().self().eachSlot().anyMatch(owned -> owned == slot))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No node that runs owns slot " + slot));
    }

    /** Returns the running replicas of a primary in its own view. */
    public List<ClusterNode> replicasOf(ClusterNode primary) {
        String id = primary.id();
        return nodes().stream()
                .filter(node -> node.server().isRunning()
                        && node.view().self().primary().equals(id))
                .toList();
    }

    /**
     * Waits until all running nodes agree on owners and replicas, every slot has an owner that answers, no slot is
     * moving, and replicas are in sync. Throws IllegalStateException after 60 s, with the view of each node.
     */
    public void awaitAgreement() {
        await("all nodes agree", this::isAgreed);
    }

    private boolean isAgreed() {
        List<ClusterNode> running =
                nodes().stream().filter(node -> node.server().isRunning()).toList();
        List<KnownNodes> views = running.stream().map(ClusterNode::view).toList();
        Set<String> ids = views.stream().map(view -> view.self().id()).collect(Collectors.toSet());
        return views.stream().allMatch(view -> ids.containsAll(view.idsThatHaveNotFailed()))
                && views.stream().allMatch(KnownNodes::isWhole)
                && views.stream().map(KnownNodes::agreed).distinct().count() == 1
                && running.stream().allMatch(ClusterNode::isReady);
    }

    /** Promotes a replica in agreement with its primary, like {@code CLUSTER FAILOVER}, without data loss. */
    public void failOverTo(ClusterNode replica) {
        replica.ask("CLUSTER", "FAILOVER");
        await("%s is the primary".formatted(replica), replica::isPrimary);
        awaitAgreement();
    }

    /** Moves the first {@code count} slots of a primary to another one, key by key; see {@link #moveSlots}. */
    public void reshard(ClusterNode from, ClusterNode to, int count) {
        moveSlots(from, to, from.slots().stream().limit(count).toList());
    }

    /**
     * Moves slots one after the other, key by key, like {@code redis-cli --cluster reshard}. If it throws
     * {@link UncheckedIOException}, a slot may be partly moved.
     */
    public void moveSlots(ClusterNode from, ClusterNode to, List<Integer> slots) {
        List<ClusterNode> others = primaries().stream()
                .filter(node -> !node.equals(from) && !node.equals(to))
                .toList();
        try (SlotMigration migration = new SlotMigration(from, to, others)) {
            slots.forEach(migration::move);
        }
        await("all nodes agree", () -> claims(to, slots) && isAgreed());
    }

    /** Gossip from before a move can take a slot from its new owner again. Then no node claims it, until told so. */
    private static boolean claims(ClusterNode owner, List<Integer> slots) {
        if (!owner.server().isRunning() || !owner.isPrimary()) {
            return true;
        }
        List<Integer> lost = new ArrayList<>(slots);
        lost.removeAll(owner.slots());
        lost.forEach(slot -> owner.ask("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", owner.id()));
        return lost.isEmpty();
    }

    /** Moves a range of slots, both ends inclusive, in one step. Only Valkey 9.0 and later support it. */
    public void moveSlotsAtOnce(ClusterNode from, ClusterNode to, int first, int last) {
        from.ask(
                "CLUSTER",
                "MIGRATESLOTS",
                "SLOTSRANGE",
                Integer.toString(first),
                Integer.toString(last),
                "NODE",
                to.id());
        await(
                "slots %d to %d are at %s".formatted(first, last, to),
                () -> to.slots()
                        .containsAll(IntStream.rangeClosed(first, last).boxed().toList()));
        awaitAgreement();
    }

    /** Starts another node, which joins as a primary without slots. */
    public ClusterNode add() {
        ClusterNode node = new ClusterNode(servers.start(arguments));
        join(node);
        return node;
    }

    /** Lets a {@linkplain #remove removed} node join again, as another node at the same address. */
    public void join(ClusterNode node) {
        List<ClusterNode> before = nodes();
        synchronized (nodes) {
            nodes.add(node);
        }
        before.stream().filter(known -> known.server().isRunning()).forEach(known -> meet(known, node));
        await(
                "all nodes know " + node,
                () -> nodes().stream()
                        .filter(other -> other.server().isRunning())
                        .allMatch(this::knowsAll));
        awaitAgreement();
    }

    /** Removes a primary: the others get its slots and replicas and forget it. Its process continues to run. */
    public void remove(ClusterNode node) {
        List<ClusterNode> heirs =
                primaries().stream().filter(other -> !other.equals(node)).toList();
        List<Integer> slots = node.slots();
        for (int i = 0; i < heirs.size(); i++) {
            int first = slots.size() * i / heirs.size();
            moveSlots(node, heirs.get(i), slots.subList(first, slots.size() * (i + 1) / heirs.size()));
        }
        for (ClusterNode replica : replicasOf(node)) {
            replica.ask("CLUSTER", "REPLICATE", heirs.get(0).id());
        }
        awaitAgreement();
        String id = node.id();
        synchronized (nodes) {
            nodes.remove(node);
        }
        nodes().stream()
                .filter(other -> other.server().isRunning())
                .forEach(other -> other.ask("CLUSTER", "FORGET", id));
        node.ask("FLUSHALL");
        node.ask("CLUSTER", "RESET", "HARD");
        awaitAgreement();
    }

    public void restart() {
        nodes().forEach(node -> node.server().kill());
        nodes().forEach(node -> node.server().restart());
        awaitAgreement();
    }

    private void await(String what, BooleanSupplier condition) {
        RuntimeException failure = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                if (condition.getAsBoolean()) {
                    return;
                }
                failure = null;
            } catch (UncheckedIOException e) {
                failure = e; // a node that has just been started or promoted
            }
            pause();
        }
        throw new IllegalStateException(
                "It is not so after 60 s that %s. They know:%n%s".formatted(what, allViews()), failure);
    }

    private String allViews() {
        StringBuilder text = new StringBuilder();
        for (ClusterNode node : nodes()) {
            text.append(node).append(":\n").append(viewOrNothing(node)).append('\n');
        }
        return text.toString();
    }

    private static @Nullable String viewOrNothing(ClusterNode node) {
        try {
            return node.server().isRunning() ? node.text("CLUSTER", "NODES") : "(does not run)";
        } catch (UncheckedIOException e) {
            return e.getMessage();
        }
    }

    private void pause() {
        try {
            if (closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("The local cluster is closed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a local cluster", e);
        }
    }

    /** Ends all nodes, removed ones included, and deletes their files. A second call has no effect. */
    @Override
    public void close() {
        closing.countDown();
        servers.close();
    }

    /**
     * Moves slots key by key, in the order of {@code redis-cli --cluster reshard}: while both nodes have keys of a slot,
     * they answer ASK and TRYAGAIN. Not safe for use by several threads.
     */
    private static final class SlotMigration implements AutoCloseable {
        private static final String KEYS_AT_ONCE = "100";
        private static final String MIGRATE_TIMEOUT_MILLIS = "5000";

        private final ClusterNode to;
        private final String fromId;
        private final String toId;
        private final ServerLine source;
        private final ServerLine target;
        private final List<ServerLine> others = new ArrayList<>();

        /** Connects to the nodes. {@code others} are the primaries that only receive the new owner. */
        SlotMigration(ClusterNode from, ClusterNode to, Collection<ClusterNode> others) {
            this.to = to;
            this.fromId = from.id();
            this.toId = to.id();
            try {
                source = new ServerLine(from.port());
                target = new ServerLine(to.port());
                for (ClusterNode other : others) {
                    this.others.add(new ServerLine(other.port()));
                }
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot connect to the nodes between which slots shall move", e);
            }
        }

        void move(int slot) {
            try {
                String number = Integer.toString(slot);
                ask(target, "CLUSTER", "SETSLOT", number, "IMPORTING", fromId);
                ask(source, "CLUSTER", "SETSLOT", number, "MIGRATING", toId);
                moveKeys(number);
                // The new owner first: otherwise the slot has no owner if this ends between the two.
                ask(target, "CLUSTER", "SETSLOT", number, "NODE", toId);
                ask(source, "CLUSTER", "SETSLOT", number, "NODE", toId);
                for (ServerLine other : others) {
                    ask(other, "CLUSTER", "SETSLOT", number, "NODE", toId);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot move slot %d to %s: %s".formatted(slot, to, e.getMessage()), e);
            }
        }

        private void moveKeys(String slot) throws IOException {
            while (ask(source, "CLUSTER", "GETKEYSINSLOT", slot, KEYS_AT_ONCE) instanceof List<?> keys
                    && !keys.isEmpty()) {
                List<String> words = new ArrayList<>(List.of(
                        "MIGRATE", "127.0.0.1", Integer.toString(to.port()), "", "0", MIGRATE_TIMEOUT_MILLIS, "KEYS"));
                keys.forEach(key -> words.add((String) key));
                source.ask(words);
            }
        }

        private static @Nullable Object ask(ServerLine line, String... words) throws IOException {
            return line.ask(List.of(words));
        }

        @Override
        public void close() {
            try (source;
                    target) {
                for (ServerLine other : others) {
                    other.close();
                }
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot close a connection to a node", e);
            }
        }
    }
}
