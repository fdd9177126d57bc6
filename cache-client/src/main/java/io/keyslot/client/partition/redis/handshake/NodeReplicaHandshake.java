// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.wire.FenceKeys;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The steps on a new connection to a cluster replica before it is read. Writes nothing there.
 * <ol>
 *   <li>Ask, in one round trip: {@code CLIENT ID}, {@code INFO server} and {@code INFO replication}, {@code ROLE}.
 *   <li>Check that the server is a replica of a supported version, in cluster mode.
 *   <li>Take the name by which connections are dropped, and send {@code READONLY}, without which a replica redirects
 *       every command to its primary.
 *   <li>Agree on the record of the cluster, which is at another node: {@link ClusterRecord}.
 * </ol>
 *
 * <p>The primary and the lag of the replica do not matter here: each read checks the heartbeat, and that of another
 * primary is not accepted.
 */
public final class NodeReplicaHandshake {
    private final HandshakeCommands commands;
    private final PartitionIdentity identity;
    private final Predecessors predecessors;

    public NodeReplicaHandshake(
            RedisAsyncCommands<byte[], byte[]> redis,
            String address,
            PartitionIdentity identity,
            Predecessors predecessors) {
        this.commands = new HandshakeCommands(redis, address);
        this.identity = identity;
        this.predecessors = predecessors;
    }

    /** Runs the handshake. Fails with a {@link ConnectFailure}, possibly within a completion exception. */
    public CompletableFuture<Handshake.Result> shake(
            String name, Supplier<CompletableFuture<ClusterRecord.Agreed>> record) {
        CompletableFuture<Long> clientId = Greeting.clientId(commands);
        CompletableFuture<ServerInfo> server = commands.server(ServerInfo::objectionAsNode)
                .thenApply(info -> Greeting.supported(info, commands, predecessors));
        CompletableFuture<List<Object>> role = Greeting.role(commands);
        return server.thenCombine(
                        role,
                        (info, said) -> ReplicaHandshake.replica(
                                said, info, commands, "the next view of the cluster will say who follows whom"))
                .thenCompose(replica -> HandshakeEnd.takeName(commands, name))
                .thenCompose(
                        named -> commands.ask("say READONLY", commands.redis().readOnly()))
                .thenCompose(said -> record.get())
                .thenCompose(agreed -> server.thenCombine(
                        clientId,
                        (info, id) -> new Handshake.Result(
                                commands.address(),
                                id,
                                info,
                                Optional.empty(),
                                agreed.epoch(),
                                true,
                                new FenceKeys(identity.namespace()),
                                identity.slotMap().version(),
                                List.of(),
                                null)));
    }
}
