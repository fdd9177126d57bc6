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
 * What happens on a new connection after Lettuce's {@code HELLO} and before the first data command.
 *
 * <ol>
 *   <li>Ask, in one round trip: our number ({@code CLIENT ID}), {@code keyslot:meta}, {@code INFO server} and {@code INFO
 *     replication}, {@code ROLE}.
 *   <li>Check that it is a primary of a supported version.
 *   <li>Compare {@code keyslot:meta} with what we believe. If there is none, look whose data it is: {@link Survey}.
 *   <li>Let the server drop those of our earlier connections on which it still owed answers. From then on, nothing that
 *       was sent on them can be executed after what is sent on this one.
 *   <li>If one of them was refused, find out what else is: {@link Abilities}.
 *   <li>Write {@code keyslot:meta} if we are the first and adopt, and compare what is there then.
 *   <li>Come into the partition's {@link Incarnation}, or begin the next one: {@link HandshakeEnd}. Whoever does not adopt begins none.
 * </ol>
 *
 * <p>A look ends where the first thing would be written or changed: {@link #look}.
 */
public final class Handshake {
    private static final Logger LOG = LoggerFactory.getLogger(Handshake.class);

    /**
     * A successful handshake.
     *
     * @param clientId our number at the server
     * @param incarnation in which the connection is; none if it only looks, and there is none
     * @param epoch that of the life, or one that no entry has
     * @param isGuarded whether the instance may have data of strangers
     * @param fences where the instance has the fences of our namespace
     * @param mapVersion of the slot map with which it was made
     * @param weaker what is weaker at this server than elsewhere, a sentence for each thing
     * @param cluster what ends the epoch of all nodes; null for an instance that runs alone
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

    /**
     * @param remembered the life in which this process has used the partition
     * @param name that of the connection once it may be used
     */
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

    /** Shakes hands. The future fails with a {@link ConnectFailure}, possibly within a completion exception. */
    public CompletableFuture<Result> shake() {
        return Greeting.ask(commands, predecessors)
                .thenCompose(greeting -> endPredecessors(greeting.server())
                        .thenCompose(done -> agreement.examine(greeting.instance(), greeting.server()))
                        .thenCompose(agreement::agree)
                        .thenCompose(consent -> Abilities.weaker(commands, greeting, predecessors)
                                .thenCompose(weaker -> enter(consent, greeting, weaker))));
    }

    /** Finds out whether the server would accept us, and changes nothing there. Fails as {@link #shake} does. */
    public CompletableFuture<Void> look() {
        return Greeting.ask(commands, predecessors)
                .thenCompose(greeting -> agreement.examine(greeting.instance(), greeting.server()))
                .thenCompose(consent -> identity.adopts() ? askForRights() : CompletableFuture.completedFuture(null));
    }

    /** Finds out in which of its reigns the server is, whatever map it knows, and changes nothing there. */
    public CompletableFuture<String> greet() {
        return Greeting.ask(commands, predecessors)
                .thenApply(greeting -> greeting.server().serverRun());
    }

    /** A start that is refused for a right must have written nothing elsewhere. */
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

    /** Has the server drop a connection, if the user may. */
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
