// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.handshake.Handshake;
import io.keyslot.client.partition.redis.handshake.NodeHandshake;
import io.keyslot.client.partition.redis.handshake.Predecessors;
import io.keyslot.client.partition.redis.handshake.ReplicaHandshake;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.concurrent.CompletableFuture;

/**
 * One node of a cluster, to which connections are made.
 *
 * @param home the cluster
 * @param name the beginning of the node's id
 * @param host as reported by the nodes
 * @param port as reported by the nodes
 */
public record ClusterMember(ClusterHome home, String name, String host, int port) {
    public CompletableFuture<Handshake.Result> shake(
            RedisAsyncCommands<byte[], byte[]> redis,
            String address,
            PartitionIdentity identity,
            Predecessors predecessors,
            String clientName) {
        return new NodeHandshake(redis, address, identity, predecessors, name)
                .shake(clientName, home::agree, home::end);
    }

    public CompletableFuture<Handshake.Result> shakeToRead(
            RedisAsyncCommands<byte[], byte[]> redis,
            String address,
            PartitionIdentity identity,
            Predecessors predecessors,
            String clientName) {
        return new ReplicaHandshake(redis, address, identity, predecessors).shakeNode(clientName, home::agree);
    }

    /** Checks whether the node and the cluster would accept this client. Changes nothing. */
    public CompletableFuture<Void> look(
            RedisAsyncCommands<byte[], byte[]> redis,
            String address,
            PartitionIdentity identity,
            Predecessors predecessors) {
        return new NodeHandshake(redis, address, identity, predecessors, name)
                .look()
                .thenCompose(met -> home.readRecord());
    }
}
