// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.Sign;
import io.keyslot.client.partition.redis.Incarnation.Succession;
import io.lettuce.core.KillArgs;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps on a new connection between Lettuce's {@code HELLO} and the first data command.
 * <ol>
 *   <li>Ask, in one round trip: {@code CLIENT ID}, {@code INFO server} and {@code INFO replication}, {@code ROLE}, and of an
 *       instance {@code keyslot:meta}, of a cluster's primary {@code CLUSTER MYID}.
 *   <li>Check that the server has a supported version and the expected role, and, if a node, the expected id, because
 *       addresses are reused.
 *   <li>Have a primary drop our earlier connections with outstanding replies. From then on, no command of theirs can be
 *       executed after those of this connection.
 *   <li>Compare {@code keyslot:meta} with our identity. Without a record, find out whose data it is: {@link Survey}. If we
 *       are the first and adopt, write the record, then compare it again.
 *   <li>If a command was refused, find out what else is, by three harmless commands.
 *   <li>Join the partition's {@link Incarnation}, or begin the next one.
 * </ol>
 *
 * <p>The record of a cluster may be at another node: {@link ClusterRecord}. A node's connection first takes the name by
 * which it is dropped when the cluster's incarnation ends: a client that ends it drops this connection, or has ended it
 * before the record is read.
 *
 * <p>Nothing is written at a replica. Its entries are read by the epoch of the recorded incarnation. The primary that it
 * follows, and its lag, do not matter here: each read checks the heartbeat, and that of another primary is not accepted.
 *
 * <p>To join an incarnation:
 * <ul>
 *   <li>{@link Succession} determines the step for the recorded one. Each step changes the record by compare-and-set, so
 *       several clients may take it at once, and one may continue where another stopped.
 *   <li>An incarnation is opened only after all connections that were in use before it have been dropped. So no two
 *       incarnations are in use at one server at a time.
 *   <li>To use an incarnation, a client first takes the name by which it is dropped, and then checks that the incarnation
 *       goes on. Either the check finds the next incarnation, or the client that begins the next one finds the name. A
 *       client that does not adopt begins none.
 * </ul>
 */
final class Handshake {
    private static final Logger LOG = LoggerFactory.getLogger(Handshake.class);
    private static final byte[] SIGN = {1};
    private static final long NO_CLIENT_ID = Long.MAX_VALUE;

    /** Each client's step changes the record once. */
    private static final int MAX_STEPS = 20;

    /**
     * A successful handshake.
     *
     * @param address of the server
     * @param clientId the id of this connection at the server
     * @param server the server and its run
     * @param incarnation of the connection; empty at a replica or a cluster node, and if it only reads and there is none
     * @param epoch of the incarnation, or one that no entry has
     * @param isGuarded whether the instance may hold foreign keys
     * @param fences the keys of our namespace's fences
     * @param mapVersion the version of the slot map during the handshake
     */
    record Result(
            String address,
            long clientId,
            ServerInfo server,
            Optional<Incarnation> incarnation,
            int epoch,
            boolean isGuarded,
            InternalKeys fences,
            long mapVersion) {}

    /** The first replies of a server of a supported version and the expected role. */
    private record Greeting(ServerInfo server, long clientId, InstanceRecord instance, boolean metRefusal) {}

    /** An ability that a server or proxy may hide or refuse, and the guarantee that is weaker without it. */
    private enum Hidden {
        INCARNATION(
                "neither run_id nor master_replid",
                "a restart or a failover that keeps data goes unnoticed, and what is stored then is served, older values"
                        + " among it"),
        RUN(
                "no run_id",
                "when a first replica is attached while a connection is lost, a write that timed out may be executed after"
                        + " later ones"),
        LIST(
                "no CLIENT LIST",
                "when what was stored has to be forgotten, other processes may go on with it for a second; slots cannot be"
                        + " moved from here or to here"),
        KILL("no CLIENT KILL", "a write that timed out may be executed after later ones"),
        TRACKING("no CLIENT TRACKING", "near caches keep nothing of this partition");

        private final String what;
        private final String weaker;

        Hidden(String what, String weaker) {
            this.what = what;
            this.weaker = weaker;
        }

        String text() {
            return what + ": " + weaker;
        }
    }

    private final HandshakeCommands commands;
    private final PartitionIdentity identity;
    private final Remembered remembered;
    private final String name;
    private final @Nullable ClusterHome home;
    private final boolean isToReplica;

    /**
     * Creates a handshake.
     *
     * @param name of the connection in use
     * @param home of a cluster node; null for an instance
     */
    Handshake(
            HandshakeCommands commands,
            PartitionIdentity identity,
            Remembered remembered,
            String name,
            @Nullable ClusterHome home,
            boolean isToReplica) {
        this.commands = commands;
        this.identity = identity;
        this.remembered = remembered;
        this.name = name;
        this.home = home;
        this.isToReplica = isToReplica;
    }

    private Agreement agreement() {
        return new Agreement(commands, identity, remembered, new Survey(commands, identity));
    }

    /** Runs the handshake. Fails with a {@link ConnectFailure}, possibly within a completion exception. */
    CompletableFuture<Result> shake() {
        ClusterHome cluster = home;
        return greet().thenCompose(greeting -> {
            if (cluster != null) {
                return join(cluster, greeting);
            }
            return isToReplica ? joinReplica(greeting) : joinInstance(greeting);
        });
    }

    private CompletableFuture<Result> joinInstance(Greeting greeting) {
        Agreement agreement = agreement();
        return commands.endPredecessors(greeting.server())
                .thenCompose(done -> agreement.examine(greeting.instance(), greeting.server()))
                .thenCompose(agreement::agree)
                .thenCompose(consent -> logWhatIsWeaker(greeting)
                        .thenCompose(logged -> step(
                                consent.instance().incarnation(), greeting.server(), greeting.clientId(), MAX_STEPS))
                        .thenApply(incarnation -> {
                            remembered.note(greeting.server().runId(), consent.isGuarded());
                            int epoch = incarnation.map(Incarnation::epoch).orElseGet(remembered::epochOfNone);
                            return result(greeting, incarnation, epoch, consent.isGuarded());
                        }));
    }

    private CompletableFuture<Result> joinReplica(Greeting greeting) {
        InstanceRecord record = greeting.instance();
        // Without a record, the primary is unused, or the record is not replicated yet.
        Incarnation incarnation = Incarnation.parse(record.incarnation())
                .filter(known -> !record.isBlankFor(identity) && known.state() == Incarnation.State.OPEN)
                .orElseThrow(() -> commands.failure(
                        Kind.UNREACHABLE, "the replica has no open epoch of the partition in keyslot:meta"));
        return agreement()
                .examine(record, greeting.server())
                .thenCompose(consent -> commands.takeName(name))
                .thenApply(named -> result(greeting, Optional.empty(), incarnation.epoch(), true));
    }

    private CompletableFuture<Result> join(ClusterHome cluster, Greeting greeting) {
        CompletableFuture<Void> named = isToReplica
                ? commands.takeName(name)
                        // Otherwise a replica redirects every command to its primary.
                        .thenCompose(taken ->
                                commands.ask("say READONLY", commands.redis().readOnly()))
                        .thenAccept(said -> {})
                : commands.endPredecessors(greeting.server()).thenCompose(ended -> commands.takeName(name));
        return named.thenCompose(ready -> cluster.agree())
                .thenApply(agreed ->
                        result(greeting, Optional.empty(), agreed.epoch(), isToReplica || agreed.isGuarded()));
    }

    private Result result(Greeting greeting, Optional<Incarnation> incarnation, int epoch, boolean isGuarded) {
        return new Result(
                commands.address(),
                greeting.clientId(),
                greeting.server(),
                incarnation,
                epoch,
                isGuarded,
                new InternalKeys(identity.namespace()),
                identity.slotMap().version());
    }

    /** Checks whether the server would accept this client. Changes nothing. Fails as {@link #shake} does. */
    CompletableFuture<Void> look() {
        ClusterHome cluster = home;
        return greet().thenCompose(greeting -> {
            if (cluster != null) {
                return cluster.readRecord();
            }
            return agreement()
                    .examine(greeting.instance(), greeting.server())
                    .thenCompose(
                            consent -> identity.adopts() ? askForRights() : CompletableFuture.completedFuture(null));
        });
    }

    /** Returns the run of the server, regardless of its map. Changes nothing. */
    CompletableFuture<String> serverRun() {
        return greet().thenApply(greeting -> greeting.server().serverRun());
    }

    /** A start that is refused for a missing right must not have written anything elsewhere. */
    private CompletableFuture<Void> askForRights() {
        CompletionStage<byte[]> missing = commands.redis()
                .eval(Script.MAY_RECORD.text(), ScriptOutputType.VALUE, new byte[][] {HandshakeCommands.META});
        return commands.ask("write keyslot:meta", missing).thenApply(right -> {
            if (right != null && right.length > 0) {
                throw commands.failure(
                        Kind.REJECTED,
                        "cannot write keyslot:meta: the user is not allowed to use " + Resp.text(right)
                                + "; see the access rules (ACL) in the operations manual");
            }
            return null;
        });
    }

    /** Sends all commands in one round trip, and rejects other servers. */
    private CompletableFuture<Greeting> greet() {
        String id = identity.partition().name();
        boolean isInstance = home == null;
        AtomicBoolean metRefusal = new AtomicBoolean();
        CompletableFuture<Long> clientId =
                commands.askOr("ask CLIENT ID", commands.redis().clientId(), () -> {
                    metRefusal.set(true);
                    return commands.clientIdByHello();
                });
        CompletableFuture<InstanceRecord> instance =
                isInstance ? commands.readRecord() : CompletableFuture.completedFuture(new InstanceRecord(Map.of()));
        CompletableFuture<ServerInfo> server =
                commands.supportedServer(isInstance ? ServerInfo::objection : ServerInfo::objectionAsNode);
        CompletableFuture<List<Object>> role =
                commands.askOr("ask ROLE", commands.redis().role(), () -> {
                    metRefusal.set(true);
                    return CompletableFuture.completedFuture(List.of());
                });
        CompletableFuture<String> nodeId = isInstance || isToReplica
                ? CompletableFuture.completedFuture(id)
                : commands.askOr(
                        "ask CLUSTER MYID",
                        commands.redis().clusterMyId(),
                        () -> CompletableFuture.completedFuture(id));
        // Check the server first, as its version explains why it does not know other commands.
        return server.thenCompose(info -> role.thenCombine(nodeId, (said, found) -> checked(said, info, found))
                .thenCombine(clientId, (done, ours) -> ours)
                .thenCombine(instance, (ours, record) -> new Greeting(info, ours, record, metRefusal.get())));
    }

    /**
     * Rejects another role, but only for now: after a failover the address may lead to the primary. If the role is not
     * known, {@code INFO} decides.
     */
    private boolean checked(List<Object> role, ServerInfo server, String nodeId) {
        String found = server.isReplica() ? "slave" : "master";
        if (!role.isEmpty()) {
            found = role.get(0) instanceof byte[] first ? Resp.text(first) : "unknown";
        }
        if (!found.equals(isToReplica ? "slave" : "master")) {
            String remedy = !isToReplica
                    ? "name the primary"
                    : home == null
                            ? "name a replica of the partition's server"
                            : "the next view of the cluster will say who follows whom";
            throw commands.failure(
                    Kind.UNREACHABLE,
                    "the server is not a %s but has the role '%s'; %s"
                            .formatted(isToReplica ? "replica" : "primary", found, remedy));
        }
        String expected = identity.partition().name();
        if (!nodeId.startsWith(expected)) {
            throw commands.failure(
                    Kind.UNREACHABLE,
                    "another node of the cluster has this address now: %s, expected was %s"
                            .formatted(nodeId, expected));
        }
        return true;
    }

    /** Takes the next step to an incarnation; empty if there is none for a read-only client. */
    private CompletableFuture<Optional<Incarnation>> step(
            String recorded, ServerInfo server, long clientId, int steps) {
        if (steps == 0) {
            throw notNow("others change keyslot:meta all the time");
        }
        Succession next = remembered.next(recorded, server.serverRun());
        if (next.step() == Succession.Step.USE) {
            return use(next.incarnation(), clientId, steps);
        }
        if (!identity.adopts()) {
            if (next.step() == Succession.Step.COMPLETE) {
                throw notNow("others begin a new epoch at this moment");
            }
            // A client that begins an incarnation drops this connection.
            return takeName().thenApply(named -> Optional.empty());
        }
        CompletableFuture<String> present = next.step() == Succession.Step.BEGIN
                ? commands.replaceIncarnation(recorded, next.incarnation())
                : complete(next.incarnation(), clientId);
        return present.thenCompose(text -> step(text, server, clientId, steps - 1));
    }

    private CompletableFuture<Optional<Incarnation>> use(Incarnation incarnation, long clientId, int steps) {
        CompletableFuture<Void> named = takeName();
        CompletableFuture<String> recorded = commands.readIncarnation();
        CompletableFuture<ServerInfo> server = commands.server(ServerInfo::objection);
        return named.thenCompose(done -> server)
                .thenCompose(info -> recorded.thenCompose(text -> {
                    if (!incarnation.goesOn(Incarnation.parse(text), info)) {
                        return step(text, info, clientId, steps - 1);
                    }
                    if (!remembered.learn(incarnation)) {
                        throw notNow("another connection of this process has come to a later epoch meanwhile");
                    }
                    return CompletableFuture.completedFuture(Optional.of(incarnation));
                }));
    }

    /**
     * Takes the name of the connection in use, and then checks the minimum map version. A client that looks for old names
     * has set the version before, so it finds this name, or this check finds the version.
     */
    private CompletableFuture<Void> takeName() {
        CompletableFuture<Void> named = commands.takeName(name);
        CompletableFuture<Long> minVersion = commands.minVersion(identity);
        return named.thenCombine(minVersion, (done, needed) -> {
            if (needed > identity.slotMap().version()) {
                throw commands.outdated(identity, needed);
            }
            return null;
        });
    }

    /** Drops the connections in use, none of which can be in this incarnation, and opens it. */
    private CompletableFuture<String> complete(Incarnation beginning, long clientId) {
        CompletableFuture<String> clients = commands.listClients();
        // Another client may have opened it. If not even after the list was made, no listed connection can be in it.
        CompletableFuture<String> recorded = commands.readIncarnation();
        return clients.thenCompose(list -> recorded.thenCompose(present -> present.equals(beginning.text())
                ? commands.dropOthers(clientId, list)
                        .thenCompose(done -> commands.replaceIncarnation(beginning.text(), beginning.opened()))
                : CompletableFuture.completedFuture(present)));
    }

    private CompletionException notNow(String reason) {
        return commands.failure(Kind.UNREACHABLE, reason);
    }

    /** Logs what is weaker at this server, because it refuses or hides something, the first time. */
    private CompletableFuture<Void> logWhatIsWeaker(Greeting greeting) {
        Set<Hidden> hidden = EnumSet.noneOf(Hidden.class);
        if (greeting.server().isNameless()) {
            hidden.add(Hidden.INCARNATION);
        } else if (!greeting.server().reportsRunId()) {
            hidden.add(Hidden.RUN);
        }
        if (hidden.isEmpty() && !greeting.metRefusal()) {
            return CompletableFuture.completedFuture(null);
        }
        return CompletableFuture.allOf(
                        addIfRefused(hidden, Hidden.LIST, commands.redis().clientList()),
                        addIfRefused(
                                hidden, Hidden.KILL, commands.redis().clientKill(KillArgs.Builder.id(NO_CLIENT_ID))),
                        addIfRefused(
                                hidden,
                                Hidden.TRACKING,
                                commands.redis().clientTracking(TrackingArgs.Builder.enabled(false))))
                .thenRun(() -> {
                    if (!hidden.isEmpty() && commands.predecessors().isFirst("hidden")) {
                        LOG.info(
                                "{}: this server hides some information, so some guarantees are weaker. {}. See managed"
                                        + " services in the manual",
                                commands.address(),
                                hidden.stream().map(Hidden::text).collect(Collectors.joining(". ")));
                    }
                });
    }

    /** In the event loop. Other failures are reported where the ability is needed. */
    private static CompletableFuture<Void> addIfRefused(Set<Hidden> hidden, Hidden one, CompletionStage<?> answer) {
        return answer.<Void>handle((done, failure) -> {
                    if (failure != null && ConnectDiagnosis.isForbidden(failure)) {
                        hidden.add(one);
                    }
                    return null;
                })
                .toCompletableFuture();
    }

    /** Takes the step of a {@link Sign} at a server and looks for it, regardless of the server's users. */
    static CompletableFuture<Sign.Sighting> look(RedisAsyncCommands<byte[], byte[]> redis, String address, Sign sign) {
        HandshakeCommands commands = new HandshakeCommands(redis, address);
        byte[] key = sign.key().bytes();
        CompletableFuture<String> server =
                commands.askOr("ask INFO server", redis.info("server"), () -> CompletableFuture.completedFuture(""));
        CompletableFuture<?> step = switch (sign.step()) {
            case LOOK -> CompletableFuture.completedFuture(true);
            case LEAVE -> commands.ask("write a sign", redis.set(key, SIGN, SetArgs.Builder.px(Sign.KEPT.toMillis())));
            case REMOVE -> commands.ask("remove a sign", redis.unlink(key));
        };
        return step.thenCompose(done -> commands.ask("read a sign", redis.get(key)))
                .thenCombine(
                        server,
                        (value, info) -> new Sign.Sighting(
                                ServerInfo.parseOrNameless(info, "").runId(), value != null));
    }
}
