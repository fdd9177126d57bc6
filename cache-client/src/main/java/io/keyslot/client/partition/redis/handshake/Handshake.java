// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Sign;
import io.keyslot.client.partition.redis.wire.InternalKeys;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.Script;
import io.lettuce.core.KillArgs;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps on a new connection between Lettuce's {@code HELLO} and the first data command.
 * <ol>
 *   <li>Ask, in one round trip: {@code CLIENT ID}, {@code keyslot:meta}, {@code INFO server} and
 *       {@code INFO replication}, {@code ROLE}.
 *   <li>Check that the server is a primary of a supported version.
 *   <li>Compare {@code keyslot:meta} with our identity. Without a record, find out whose data it is: {@link Survey}.
 *   <li>Have the server drop our earlier connections with outstanding replies. From then on, no command of theirs can
 *       be executed after those of this connection.
 *   <li>If a command was refused, find out what else is, by three harmless commands.
 *   <li>If we are the first and adopt, write {@code keyslot:meta}, then compare it again.
 *   <li>Join the partition's {@link Incarnation}, or begin the next one: {@link HandshakeEnd}. A client that does not
 *       adopt begins none.
 * </ol>
 *
 * <p>{@link #look} stops before the first write.
 */
public final class Handshake {
    private static final Logger LOG = LoggerFactory.getLogger(Handshake.class);
    private static final byte[] SIGN = {1};
    private static final long NO_CLIENT_ID = Long.MAX_VALUE;

    /**
     * A successful handshake.
     *
     * @param address of the server
     * @param clientId the id of this connection at the server
     * @param server the server and its run
     * @param incarnation of the connection; empty if it only reads and there is none
     * @param epoch of the incarnation, or one that no entry has
     * @param isGuarded whether the instance may hold foreign keys
     * @param fences the keys of our namespace's fences
     * @param mapVersion the version of the slot map during the handshake
     * @param weaker the guarantees that are weaker at this server, one sentence each
     * @param endOfClusterEpoch ends the epoch of all nodes of a cluster, unless it is over: all stored values become
     *     misses, and the reachable nodes drop their connections. It neither throws nor blocks. Null for a standalone
     *     instance
     */
    public record Result(
            String address,
            long clientId,
            ServerInfo server,
            Optional<Incarnation> incarnation,
            int epoch,
            boolean isGuarded,
            InternalKeys fences,
            long mapVersion,
            List<String> weaker,
            @Nullable IntFunction<CompletableFuture<Reply<Boolean>>> endOfClusterEpoch) {}

    /** The first replies of a server, which is a primary of a supported version. */
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
    private final HandshakeEnd entrance;
    private final Agreement agreement;

    /** Creates a handshake; the name is that of the connection in use. */
    public Handshake(
            RedisAsyncCommands<byte[], byte[]> commands,
            String address,
            PartitionIdentity identity,
            Predecessors predecessors,
            Remembered remembered,
            String name) {
        this.commands = new HandshakeCommands(commands, address, predecessors);
        this.identity = identity;
        this.remembered = remembered;
        this.agreement = new Agreement(this.commands, identity, remembered, new Survey(this.commands, identity));
        this.entrance = new HandshakeEnd(this.commands, identity, remembered, name);
    }

    /** Runs the handshake. Fails with a {@link ConnectFailure}, possibly within a completion exception. */
    public CompletableFuture<Result> shake() {
        return ask().thenCompose(greeting -> commands.endPredecessors(greeting.server())
                .thenCompose(done -> agreement.examine(greeting.instance(), greeting.server()))
                .thenCompose(agreement::agree)
                .thenCompose(consent -> weaker(greeting).thenCompose(weaker -> enter(consent, greeting, weaker))));
    }

    /** Checks whether the server would accept this client. Changes nothing. Fails as {@link #shake} does. */
    public CompletableFuture<Void> look() {
        return ask().thenCompose(greeting -> agreement.examine(greeting.instance(), greeting.server()))
                .thenCompose(consent -> identity.adopts() ? askForRights() : CompletableFuture.completedFuture(null));
    }

    /** Returns the run of the server, regardless of its map. Changes nothing. */
    public CompletableFuture<String> greet() {
        return ask().thenApply(greeting -> greeting.server().serverRun());
    }

    /** A start that is refused for a missing right must not have written anything elsewhere. */
    private CompletableFuture<Void> askForRights() {
        CompletionStage<byte[]> missing = commands.redis()
                .eval(Script.MAY_RECORD.text(), ScriptOutputType.VALUE, new byte[][] {HandshakeCommands.META});
        return commands.ask("write keyslot:meta", missing).thenApply(right -> {
            if (right != null && right.length > 0) {
                throw commands.failure(
                        Kind.REJECTED,
                        "cannot write keyslot:meta: the user is not allowed to use " + RespAnswers.text(right)
                                + "; see the access rules (ACL) in the operations manual");
            }
            return null;
        });
    }

    private CompletableFuture<Result> enter(Agreement.Consent consent, Greeting greeting, List<String> weaker) {
        return entrance.enter(consent.instance().incarnation(), greeting.server(), greeting.clientId())
                .thenApply(incarnation -> {
                    remembered.note(greeting.server().runId(), consent.isGuarded());
                    int epoch = incarnation.map(Incarnation::epoch).orElseGet(remembered::epochOfNone);
                    return new Result(
                            commands.address(),
                            greeting.clientId(),
                            greeting.server(),
                            incarnation,
                            epoch,
                            consent.isGuarded(),
                            new InternalKeys(identity.namespace()),
                            identity.slotMap().version(),
                            weaker,
                            null);
                });
    }

    /** Sends all commands in one round trip, and rejects other servers. */
    private CompletableFuture<Greeting> ask() {
        AtomicBoolean metRefusal = new AtomicBoolean();
        CompletableFuture<Long> clientId =
                commands.askOr("ask CLIENT ID", commands.redis().clientId(), () -> {
                    metRefusal.set(true);
                    return commands.clientIdByHello();
                });
        CompletableFuture<InstanceRecord> instance = commands.readRecord();
        CompletableFuture<ServerInfo> server = commands.supportedServer(ServerInfo::objection);
        CompletableFuture<List<Object>> role =
                commands.askOr("ask ROLE", commands.redis().role(), () -> {
                    metRefusal.set(true);
                    return CompletableFuture.completedFuture(List.of());
                });
        // Check the server first, as its version explains why it does not know other commands.
        return server.thenCompose(info -> role.thenAccept(said -> commands.checkPrimary(said, info))
                .thenCombine(clientId, (ours, id) -> id)
                .thenCombine(instance, (id, record) -> new Greeting(info, id, record, metRefusal.get())));
    }

    /** Returns what is weaker at this server, because it refuses or hides something; logs it the first time. */
    private CompletableFuture<List<String>> weaker(Greeting greeting) {
        Set<Hidden> hidden = EnumSet.noneOf(Hidden.class);
        if (greeting.server().isNameless()) {
            hidden.add(Hidden.INCARNATION);
        } else if (!greeting.server().reportsRunId()) {
            hidden.add(Hidden.RUN);
        }
        if (hidden.isEmpty() && !greeting.metRefusal()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return CompletableFuture.allOf(
                        addIfRefused(hidden, Hidden.LIST, commands.redis().clientList()),
                        addIfRefused(
                                hidden, Hidden.KILL, commands.redis().clientKill(KillArgs.Builder.id(NO_CLIENT_ID))),
                        addIfRefused(
                                hidden,
                                Hidden.TRACKING,
                                commands.redis().clientTracking(TrackingArgs.Builder.enabled(false))))
                .thenApply(done -> log(hidden));
    }

    private List<String> log(Set<Hidden> found) {
        List<String> weaker = found.stream().map(Hidden::text).toList();
        if (!weaker.isEmpty() && commands.predecessors().isFirstListOfWhatIsHidden()) {
            LOG.info(
                    "{}: this server hides some information, so some guarantees are weaker. {}. See managed services in"
                            + " the manual",
                    commands.address(),
                    weaker.stream().collect(Collectors.joining(". ")));
        }
        return weaker;
    }

    /** In the event loop. Other failures are reported where the ability is needed. */
    private static CompletableFuture<Void> addIfRefused(Set<Hidden> hidden, Hidden one, CompletionStage<?> answer) {
        return answer.<Void>handle((done, failure) -> {
                    if (failure != null && Predecessors.isForbidden(failure)) {
                        hidden.add(one);
                    }
                    return null;
                })
                .toCompletableFuture();
    }

    /** Takes the step of a {@link Sign} at a server and looks for it, regardless of the server's users. */
    public static CompletableFuture<Sign.Sighting> look(
            RedisAsyncCommands<byte[], byte[]> redis, String address, Sign sign) {
        HandshakeCommands commands = new HandshakeCommands(redis, address, new Predecessors());
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
