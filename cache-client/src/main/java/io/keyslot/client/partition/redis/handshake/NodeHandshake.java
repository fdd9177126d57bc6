// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.redis.wire.InternalKeys;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * The steps on a new connection to a cluster node before the first data command.
 * <ol>
 *   <li>Ask, in one round trip: {@code CLIENT ID}, {@code INFO server} and {@code INFO replication}, {@code ROLE},
 *       {@code CLUSTER MYID}.
 *   <li>Check that the server is a primary of a supported version, in cluster mode, and the expected node, because
 *       addresses are reused.
 *   <li>Have the server drop our earlier connections with outstanding replies.
 *   <li>Take the name by which the connection is dropped when the cluster's incarnation ends.
 *   <li>Agree on the record of the cluster, which may be at another node: {@link ClusterRecord}. This must follow the
 *       name: a client that ends the incarnation drops this connection, or has ended it before the record is read.
 * </ol>
 */
public final class NodeHandshake {
    private final HandshakeCommands commands;
    private final PartitionIdentity identity;
    private final String nodeId;

    /** Creates a handshake with the node whose id begins like this. */
    public NodeHandshake(
            RedisAsyncCommands<byte[], byte[]> redis,
            String address,
            PartitionIdentity identity,
            Predecessors predecessors,
            String nodeId) {
        this.commands = new HandshakeCommands(redis, address, predecessors);
        this.identity = identity;
        this.nodeId = nodeId;
    }

    private record Met(ServerInfo server, long clientId) {}

    /**
     * Runs the handshake. Fails with a {@link ConnectFailure}, possibly within a completion exception.
     *
     * @param name of the connection in use
     * @param record agrees on the record of the cluster
     * @param endEpoch ends the epoch of all nodes
     */
    public CompletableFuture<Handshake.Result> shake(
            String name,
            Supplier<CompletableFuture<ClusterRecord.Agreed>> record,
            IntFunction<CompletableFuture<Reply<Boolean>>> endEpoch) {
        return greet().thenCompose(met -> commands.endPredecessors(met.server())
                .thenCompose(ended -> commands.takeName(name))
                .thenCompose(named -> record.get())
                .thenApply(agreed -> new Handshake.Result(
                        commands.address(),
                        met.clientId(),
                        met.server(),
                        Optional.empty(),
                        agreed.epoch(),
                        agreed.isGuarded(),
                        new InternalKeys(identity.namespace()),
                        identity.slotMap().version(),
                        List.of(),
                        endEpoch)));
    }

    /** Checks that this is the expected node, and a primary. Changes nothing. */
    public CompletableFuture<Void> look() {
        return greet().thenAccept(met -> {});
    }

    private CompletableFuture<Met> greet() {
        CompletableFuture<Long> clientId = commands.clientId();
        CompletableFuture<ServerInfo> server = commands.supportedServer(ServerInfo::objectionAsNode);
        CompletableFuture<List<Object>> role = commands.role();
        CompletableFuture<String> myId = commands.askOr(
                "ask CLUSTER MYID", commands.redis().clusterMyId(), () -> CompletableFuture.completedFuture(nodeId));
        return server.thenCompose(info -> role.thenAccept(said -> commands.checkPrimary(said, info))
                .thenCombine(myId, (primary, id) -> checked(id))
                .thenCombine(clientId, (same, id) -> new Met(info, id)));
    }

    private String checked(String id) {
        if (!id.startsWith(nodeId)) {
            throw commands.failure(
                    Kind.UNREACHABLE,
                    "another node of the cluster has this address now: %s, expected was %s".formatted(id, nodeId));
        }
        return id;
    }

    /** Fails unless the server is a cluster node. */
    public static CompletableFuture<Void> isNode(RedisAsyncCommands<byte[], byte[]> redis, String address) {
        return new HandshakeCommands(redis, address, new Predecessors())
                .server(ServerInfo::objectionAsNode)
                .thenAccept(info -> {});
    }

    /** Drops the connections of all other clients at a node. */
    public static CompletableFuture<Void> dropOthers(RedisAsyncCommands<byte[], byte[]> redis, String address) {
        HandshakeCommands commands = new HandshakeCommands(redis, address, new Predecessors());
        return commands.clientId()
                .thenCompose(own -> commands.listClients().thenCompose(list -> commands.dropOthers(own, list)));
    }
}
