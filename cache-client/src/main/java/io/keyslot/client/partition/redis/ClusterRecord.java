// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.Incarnation.Succession;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The record of a cluster's users: the hash {@code keyslot:meta} at the node that owns its slot. Each connection to any
 * node reads it over a connection to that node.
 *
 * <p>Its incarnation spans the whole cluster, so an entry stays readable when it moves to another node. An incarnation
 * only ends explicitly.
 */
final class ClusterRecord {
    /** The incarnation of a cluster belongs to no server. */
    private static final String SERVER_RUN = ":";

    /** Each client's step changes the record once. */
    private static final int MAX_STEPS = 20;

    /**
     * The state that all nodes share.
     *
     * @param incarnation empty if this client only reads and the cluster is unused
     * @param epoch of the incarnation, or one that no entry has
     * @param isGuarded whether the cluster may hold foreign keys
     */
    record Agreed(Optional<Incarnation> incarnation, int epoch, boolean isGuarded) {}

    private final HandshakeCommands commands;
    private final PartitionIdentity identity;
    private final Remembered remembered;
    private final Agreement agreement;

    /** Creates the record over a connection to the owner of its slot; the identity is the cluster's, with all slots. */
    ClusterRecord(
            RedisAsyncCommands<byte[], byte[]> redis,
            String address,
            PartitionIdentity identity,
            Remembered remembered) {
        this.commands = new HandshakeCommands(redis, address);
        this.identity = identity;
        this.remembered = remembered;
        this.agreement = new Agreement(commands, identity, remembered, new Survey(commands, identity));
    }

    CompletableFuture<Void> look() {
        return examine().thenAccept(consent -> {});
    }

    private CompletableFuture<Agreement.Consent> examine() {
        CompletableFuture<ServerInfo> server = commands.server(ServerInfo::objectionAsNode);
        return commands.readRecord()
                .thenCompose(present -> server.thenCompose(info -> agreement.examine(present, info)));
    }

    /** Agrees with all clients on record and epoch. The supplier drops all connections at reachable nodes. */
    CompletableFuture<Agreed> agree(Supplier<CompletableFuture<Void>> dropAll) {
        return examine()
                .thenCompose(agreement::agree)
                .thenCompose(consent -> step(consent.instance().incarnation(), dropAll, MAX_STEPS)
                        .thenApply(incarnation -> new Agreed(
                                incarnation,
                                incarnation.map(Incarnation::epoch).orElseGet(remembered::epochOfNone),
                                consent.isGuarded())));
    }

    private CompletableFuture<Optional<Incarnation>> step(
            String recorded, Supplier<CompletableFuture<Void>> dropAll, int steps) {
        if (steps == 0) {
            throw commands.failure(Kind.UNREACHABLE, "others change keyslot:meta all the time");
        }
        Succession next = remembered.next(recorded, SERVER_RUN);
        if (next.step() == Succession.Step.USE) {
            if (!remembered.learn(next.incarnation())) {
                throw commands.failure(
                        Kind.UNREACHABLE, "another connection of this process has come to a later epoch meanwhile");
            }
            return CompletableFuture.completedFuture(Optional.of(next.incarnation()));
        }
        if (!identity.adopts()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        CompletableFuture<String> present = next.step() == Succession.Step.BEGIN
                ? commands.replaceIncarnation(recorded, next.incarnation())
                : dropAll.get()
                        .thenCompose(dropped -> commands.replaceIncarnation(
                                next.incarnation().text(), next.incarnation().opened()));
        return present.thenCompose(text -> step(text, dropAll, steps - 1));
    }

    /** Ends the incarnation of this epoch; returns whether this call has ended it. */
    CompletableFuture<Boolean> end(int epoch) {
        return commands.readIncarnation().thenCompose(text -> {
            Optional<Incarnation> present = Incarnation.parse(text)
                    .filter(incarnation ->
                            incarnation.epoch() == epoch && incarnation.state() == Incarnation.State.OPEN);
            return present.isEmpty()
                    ? CompletableFuture.completedFuture(false)
                    : commands.replaceIncarnation(text, present.get().ended()).thenApply(recorded -> true);
        });
    }

    /** Returns whether a node has replied that another one owns the record's slot. */
    static boolean isElsewhere(ConnectFailure failure) {
        return failure.reason().endsWith(ServerInfo.NO_CLUSTER);
    }

    /** Returns the failure in terms of a cluster: the record will be found at the other node. */
    static ConnectFailure explained(ConnectFailure failure) {
        return isElsewhere(failure)
                ? new ConnectFailure(
                        Kind.UNREACHABLE, "the slot of keyslot:meta is on its way to another node of the cluster", null)
                : failure;
    }
}
