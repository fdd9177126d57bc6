// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What a cluster says about who uses it: one hash, {@code keyslot:meta}, at the node that owns its slot. It is read over a
 * connection to that node, for each connection to any node.
 *
 * <p>The life in it is that of the whole cluster: an entry that the servers move from one node to another stays readable. It ends
 * only because somebody ends it.
 */
public final class ClusterRecord {
    /** No server's reign is a cluster's. */
    private static final String SERVER_RUN = ":";

    /** The step of each client changes the record once. */
    private static final int MAX_STEPS = 20;

    /**
     * What all nodes have in common.
     *
     * @param incarnation none if this client only looks, and nobody has used the cluster
     * @param epoch that of the life, or one that no entry has
     * @param isGuarded whether the cluster may have data of strangers
     */
    public record Agreed(Optional<Incarnation> incarnation, int epoch, boolean isGuarded) {}

    private final HandshakeCommands commands;
    private final PartitionIdentity identity;
    private final Remembered remembered;
    private final IncarnationRecord record;
    private final Agreement agreement;

    /**
     * @param redis a connection to the owner of the record's slot
     * @param identity of the cluster: one name, with all slots
     */
    public ClusterRecord(
            RedisAsyncCommands<byte[], byte[]> redis,
            String address,
            PartitionIdentity identity,
            Remembered remembered) {
        this.commands = new HandshakeCommands(redis, address);
        this.identity = identity;
        this.remembered = remembered;
        this.record = new IncarnationRecord(commands);
        this.agreement = new Agreement(commands, identity, remembered);
    }

    /** Finds out whether the cluster would accept us, and changes nothing there. */
    public CompletableFuture<Void> look() {
        return examine().thenAccept(consent -> {});
    }

    private CompletableFuture<Agreement.Consent> examine() {
        CompletableFuture<ServerInfo> server = commands.server(ServerInfo::objectionAsNode);
        return commands.readRecord()
                .thenCompose(present -> server.thenCompose(info -> agreement.examine(present, info)));
    }

    /**
     * Agrees with all other clients on who uses the cluster, and on its epoch.
     *
     * @param dropAll drops all connections that are in use, at all nodes that can be reached
     */
    public CompletableFuture<Agreed> agree(Supplier<CompletableFuture<Void>> dropAll) {
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
                ? record.replace(recorded, next.incarnation())
                : dropAll.get()
                        .thenCompose(dropped -> record.replace(
                                next.incarnation().text(), next.incarnation().opened()));
        return present.thenCompose(text -> step(text, dropAll, steps - 1));
    }

    /** Ends the life of this epoch, if it is not over; returns whether this has ended it. */
    public CompletableFuture<Boolean> end(int epoch) {
        return record.read().thenCompose(text -> {
            Optional<Incarnation> present = Incarnation.parse(text)
                    .filter(incarnation ->
                            incarnation.epoch() == epoch && incarnation.state() == Incarnation.State.OPEN);
            return present.isEmpty()
                    ? CompletableFuture.completedFuture(false)
                    : record.replace(text, present.get().ended()).thenApply(recorded -> true);
        });
    }

    /** Returns whether a node has said that another one owns the record's slot. */
    public static boolean isElsewhere(ConnectFailure failure) {
        return failure.reason().endsWith(ServerInfo.NO_CLUSTER);
    }

    /** Returns the failure as one of a cluster: what is elsewhere now will be found there. */
    public static ConnectFailure explained(ConnectFailure failure) {
        return isElsewhere(failure)
                ? new ConnectFailure(
                        Kind.UNREACHABLE, "the slot of keyslot:meta is on its way to another node of the cluster", null)
                : failure;
    }

    /** Reads which life is recorded, as text. */
    public CompletableFuture<String> incarnation() {
        return record.read();
    }
}
