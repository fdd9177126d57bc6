// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.wire.InternalKeys;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The steps on a new connection to a replica before it is read. Writes nothing there.
 * <ol>
 *   <li>Ask, in one round trip: {@code CLIENT ID}, {@code INFO server} and {@code INFO replication}, {@code ROLE}, and
 *       of a standalone replica {@code keyslot:meta}, which the primary has replicated.
 *   <li>Check that the server is a replica of a supported version, and, if standalone, holds the expected partition.
 *   <li>Take the name by which the connection is dropped when another incarnation begins there.
 *   <li>At a cluster node, send {@code READONLY}, without which a replica redirects every command to its primary, and
 *       agree on the record of the cluster, which is at another node: {@link ClusterRecord}.
 * </ol>
 *
 * <p>Entries are read by the epoch of the recorded incarnation. The primary that the replica follows, and its lag, do
 * not matter here: each read checks the heartbeat, and that of another primary is not accepted.
 */
public final class ReplicaHandshake {
    private final HandshakeCommands commands;
    private final PartitionIdentity identity;

    public ReplicaHandshake(
            RedisAsyncCommands<byte[], byte[]> redis,
            String address,
            PartitionIdentity identity,
            Predecessors predecessors) {
        this.commands = new HandshakeCommands(redis, address, predecessors);
        this.identity = identity;
    }

    private record Met(ServerInfo server, long clientId, InstanceRecord record) {}

    /**
     * Runs the handshake with a standalone replica. Fails with a {@code ConnectFailure}, as {@link Handshake#shake}.
     */
    public CompletableFuture<Handshake.Result> shake(String name) {
        return greet().thenCompose(met -> {
            Incarnation incarnation = incarnationOf(met.record());
            Remembered none = new Remembered(Incarnation.randomIds(new SecureRandom()));
            return new Agreement(commands, identity, none, new Survey(commands, identity))
                    .examine(met.record(), met.server())
                    .thenCompose(consent -> commands.takeName(name))
                    .thenApply(named -> result(met.server(), met.clientId(), incarnation.epoch()));
        });
    }

    private CompletableFuture<Met> greet() {
        CompletableFuture<Long> clientId = commands.clientId();
        CompletableFuture<ServerInfo> server = commands.supportedServer(ServerInfo::objection);
        CompletableFuture<List<Object>> role = commands.role();
        CompletableFuture<InstanceRecord> record = commands.readRecord();
        return server.thenCompose(info -> role.thenAccept(
                        said -> commands.checkReplica(said, info, "name a replica of the partition's server"))
                .thenCombine(clientId, (ours, id) -> id)
                .thenCombine(record, (id, read) -> new Met(info, id, read)));
    }

    /**
     * Runs the handshake with a node of a cluster; fails in the same way. The supplier agrees on the cluster's record.
     */
    public CompletableFuture<Handshake.Result> shakeNode(
            String name, Supplier<CompletableFuture<ClusterRecord.Agreed>> record) {
        CompletableFuture<Long> clientId = commands.clientId();
        CompletableFuture<ServerInfo> server = commands.supportedServer(ServerInfo::objectionAsNode);
        CompletableFuture<List<Object>> role = commands.role();
        return server.thenAcceptBoth(
                        role,
                        (info, said) -> commands.checkReplica(
                                said, info, "the next view of the cluster will say who follows whom"))
                .thenCompose(replica -> commands.takeName(name))
                .thenCompose(
                        named -> commands.ask("say READONLY", commands.redis().readOnly()))
                .thenCompose(said -> record.get())
                .thenCompose(agreed -> server.thenCombine(clientId, (info, id) -> result(info, id, agreed.epoch())));
    }

    private Handshake.Result result(ServerInfo server, long clientId, int epoch) {
        return new Handshake.Result(
                commands.address(),
                clientId,
                server,
                Optional.empty(),
                epoch,
                true,
                new InternalKeys(identity.namespace()),
                identity.slotMap().version(),
                List.of(),
                null);
    }

    /** Without a record, the primary is unused, or the record is not replicated yet. */
    private Incarnation incarnationOf(InstanceRecord record) {
        Optional<Incarnation> incarnation =
                record.isBlankFor(identity) ? Optional.empty() : Incarnation.parse(record.incarnation());
        return incarnation
                .filter(known -> known.state() == Incarnation.State.OPEN)
                .orElseThrow(() -> commands.failure(
                        Kind.UNREACHABLE, "the replica has no open epoch of the partition in keyslot:meta"));
    }
}
