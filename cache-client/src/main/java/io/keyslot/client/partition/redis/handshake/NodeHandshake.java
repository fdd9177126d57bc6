// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.wire.FenceKeys;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What happens on a new connection to a node of a cluster before the first data command.
 *
 * <ol>
 *   <li>Ask, in one round trip: our number, {@code INFO server} and {@code INFO replication}, {@code ROLE}, {@code CLUSTER
 *     MYID}.
 *   <li>Check that it is a primary of a supported version, in cluster mode, and the node that is expected: an address may
 *     have been given to another one.
 *   <li>Let the server drop those of our earlier connections on which it still owed answers.
 *   <li>Take the name by which the connection is dropped when the cluster's life ends.
 *   <li>Agree on the record of the cluster, which may be at another node: {@link ClusterRecord}. Behind the name: whoever ends
 *     the life drops this connection, or has ended it before the record is read.
 * </ol>
 */
public final class NodeHandshake {
    private final HandshakeCommands commands;
    private final PartitionIdentity identity;
    private final Predecessors predecessors;
    private final String nodeId;

    /** @param nodeId the beginning of what the node calls itself that is expected */
    public NodeHandshake(
            RedisAsyncCommands<byte[], byte[]> redis,
            String address,
            PartitionIdentity identity,
            Predecessors predecessors,
            String nodeId) {
        this.commands = new HandshakeCommands(redis, address);
        this.identity = identity;
        this.predecessors = predecessors;
        this.nodeId = nodeId;
    }

    private record Met(ServerInfo server, long clientId) {}

    /**
     * Shakes hands. The future fails with a {@link ConnectFailure}, possibly within a completion exception.
     *
     * @param name that of the connection once it may be used
     * @param record agrees on the record of the cluster
     * @param epoch ends what is agreed on
     */
    public CompletableFuture<Handshake.Result> shake(
            String name, Supplier<CompletableFuture<ClusterRecord.Agreed>> record, ClusterEpoch epoch) {
        return greet().thenCompose(met -> endPredecessors(met.server())
                .thenCompose(ended -> HandshakeEnd.takeName(commands, name))
                .thenCompose(named -> record.get())
                .thenApply(agreed -> new Handshake.Result(
                        commands.address(),
                        met.clientId(),
                        met.server(),
                        Optional.empty(),
                        agreed.epoch(),
                        agreed.isGuarded(),
                        new FenceKeys(identity.namespace()),
                        identity.slotMap().version(),
                        List.of(),
                        epoch)));
    }

    /** Finds out whether it is the node that is expected, and a primary. Changes nothing there. */
    public CompletableFuture<Void> look() {
        return greet().thenAccept(met -> {});
    }

    private CompletableFuture<Met> greet() {
        CompletableFuture<Long> clientId = Greeting.clientId(commands);
        CompletableFuture<ServerInfo> server = commands.server(ServerInfo::objectionAsNode)
                .thenApply(info -> Greeting.supported(info, commands, predecessors));
        CompletableFuture<List<Object>> role = Greeting.role(commands);
        CompletableFuture<String> myId = commands.askOr(
                "ask CLUSTER MYID", commands.redis().clusterMyId(), () -> CompletableFuture.completedFuture(nodeId));
        return server.thenCompose(info -> role.thenApply(said -> Greeting.primary(said, info, commands))
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

    private CompletableFuture<Void> endPredecessors(ServerInfo server) {
        List<Long> clientIds = predecessors.of(server.runId());
        return CompletableFuture.allOf(clientIds.stream()
                        .map(clientId -> Handshake.end(commands, predecessors, clientId))
                        .toArray(CompletableFuture[]::new))
                .thenRun(() -> predecessors.forget(clientIds));
    }

    /** Fails unless the server is a node of a cluster. */
    public static CompletableFuture<Void> isNode(RedisAsyncCommands<byte[], byte[]> redis, String address) {
        return new HandshakeCommands(redis, address)
                .server(ServerInfo::objectionAsNode)
                .thenAccept(info -> {});
    }

    /** Drops the connections of all clients of Keyslot to a node but the one that does it. */
    public static CompletableFuture<Void> dropOthers(RedisAsyncCommands<byte[], byte[]> redis, String address) {
        HandshakeCommands commands = new HandshakeCommands(redis, address);
        Predecessors none = new Predecessors();
        EarlierConnections earlier = new EarlierConnections(commands, none);
        return Greeting.clientId(commands)
                .thenCompose(
                        own -> earlier.list().thenCompose(list -> earlier.drop(ClientList.othersBeside(own, list))))
                .thenAccept(dropped -> {});
    }
}
