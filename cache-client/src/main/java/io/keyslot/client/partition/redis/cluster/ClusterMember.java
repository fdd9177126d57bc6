// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.handshake.Handshake;
import io.keyslot.client.partition.redis.handshake.NodeHandshake;
import io.keyslot.client.partition.redis.handshake.NodeReplicaHandshake;
import io.keyslot.client.partition.redis.handshake.Predecessors;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.concurrent.CompletableFuture;

/**
 * One node of a cluster, to which connections are made.
 *
 * @param home the cluster
 * @param name the beginning of what the node calls itself
 * @param host where it is, as the nodes say
 * @param port where it is
 */
public record ClusterMember(ClusterHome home, String name, String host, int port) {
    /** Shakes hands on a new connection to the node. */
    public CompletableFuture<Handshake.Result> shake(
            RedisAsyncCommands<byte[], byte[]> redis,
            String address,
            PartitionIdentity identity,
            Predecessors predecessors,
            String clientName) {
        return new NodeHandshake(redis, address, identity, predecessors, name).shake(clientName, home::agree, home);
    }

    /** Shakes hands on a new connection to the node, which is a replica. */
    public CompletableFuture<Handshake.Result> shakeToRead(
            RedisAsyncCommands<byte[], byte[]> redis,
            String address,
            PartitionIdentity identity,
            Predecessors predecessors,
            String clientName) {
        return new NodeReplicaHandshake(redis, address, identity, predecessors).shake(clientName, home::agree);
    }

    /** Finds out whether the node, and the cluster, would accept us. Changes nothing. */
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
