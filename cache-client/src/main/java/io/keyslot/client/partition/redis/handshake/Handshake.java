// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.wire.FenceKeys;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.Script;
import io.lettuce.core.KillArgs;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
 *   <li>If a command was refused, find out what else is: {@link Abilities}.
 *   <li>If we are the first and adopt, write {@code keyslot:meta}, then compare it again.
 *   <li>Join the partition's {@link Incarnation}, or begin the next one: {@link HandshakeEnd}. A client that does not
 *       adopt begins none.
 * </ol>
 *
 * <p>{@link #look} stops before the first write.
 */
public final class Handshake {
    private static final Logger LOG = LoggerFactory.getLogger(Handshake.class);

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
     * @param cluster ends the epoch of all nodes; null for a standalone instance
     */
    public record Result(
            String address,
            long clientId,
            ServerInfo server,
            Optional<Incarnation> incarnation,
            int epoch,
            boolean isGuarded,
            FenceKeys fences,
            long mapVersion,
            List<String> weaker,
            @Nullable ClusterEpoch cluster) {}

    private final HandshakeCommands commands;
    private final PartitionIdentity identity;
    private final Predecessors predecessors;
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
        this.commands = new HandshakeCommands(commands, address);
        this.identity = identity;
        this.predecessors = predecessors;
        this.remembered = remembered;
        this.agreement = new Agreement(this.commands, identity, remembered);
        this.entrance = new HandshakeEnd(this.commands, identity, predecessors, remembered, name);
    }

    /** Runs the handshake. Fails with a {@link ConnectFailure}, possibly within a completion exception. */
    public CompletableFuture<Result> shake() {
        return Greeting.ask(commands, predecessors)
                .thenCompose(greeting -> endPredecessors(greeting.server())
                        .thenCompose(done -> agreement.examine(greeting.instance(), greeting.server()))
                        .thenCompose(agreement::agree)
                        .thenCompose(consent -> Abilities.weaker(commands, greeting, predecessors)
                                .thenCompose(weaker -> enter(consent, greeting, weaker))));
    }

    /** Checks whether the server would accept this client. Changes nothing. Fails as {@link #shake} does. */
    public CompletableFuture<Void> look() {
        return Greeting.ask(commands, predecessors)
                .thenCompose(greeting -> agreement.examine(greeting.instance(), greeting.server()))
                .thenCompose(consent -> identity.adopts() ? askForRights() : CompletableFuture.completedFuture(null));
    }

    /** Returns the run of the server, regardless of its map. Changes nothing. */
    public CompletableFuture<String> greet() {
        return Greeting.ask(commands, predecessors)
                .thenApply(greeting -> greeting.server().serverRun());
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
                            new FenceKeys(identity.namespace()),
                            identity.slotMap().version(),
                            weaker,
                            null);
                });
    }

    private CompletableFuture<Void> endPredecessors(ServerInfo server) {
        List<Long> clientIds = predecessors.of(server.runId());
        return CompletableFuture.allOf(clientIds.stream().map(this::end).toArray(CompletableFuture[]::new))
                .thenRun(() -> predecessors.forget(clientIds));
    }

    private CompletableFuture<Void> end(long clientId) {
        return end(commands, predecessors, clientId);
    }

    static CompletableFuture<Void> end(HandshakeCommands commands, Predecessors predecessors, long clientId) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        commands.redis().clientKill(KillArgs.Builder.id(clientId)).whenComplete((count, failure) -> {
            if (failure == null || isForbidden(commands, predecessors, failure)) {
                ended.complete(null);
            } else {
                ended.completeExceptionally(
                        ConnectDiagnosis.of(commands.address(), "end an earlier connection", failure));
            }
        });
        return ended;
    }

    private static boolean isForbidden(HandshakeCommands commands, Predecessors predecessors, Throwable failure) {
        boolean forbidden = Predecessors.isForbidden(failure);
        if (forbidden && predecessors.isFirstRefusalToKill()) {
            LOG.warn(
                    "{}: this user may not use CLIENT KILL. A write that timed out may be executed after later ones;"
                            + " allow client|kill to rule that out",
                    commands.address());
        }
        return forbidden;
    }
}
