// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.Deadlines;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.ClusterHome;
import io.keyslot.client.partition.redis.RedisConnector;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.client.partition.redis.ServerAccess;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Creates connectors to instances according to the options of a client. */
final class ConnectorAssembly {
    private final RedisResources resources;
    private final ClientOptions options;
    private final Deadlines deadlines;
    private final String clientName;
    private @Nullable ClusterHome home; // null unless the engine is a cluster

    ConnectorAssembly(RedisResources resources, ClientOptions options, Deadlines deadlines, String clientName) {
        this.resources = resources;
        this.options = options;
        this.deadlines = deadlines;
        this.clientName = clientName;
    }

    /** Returns a connector to a partition, which is not connected yet; {@code slotMap} is the newest known one. */
    PartitionConnector connector(PartitionOptions partition, SlotMap slotMap, Adoption adoption) {
        return connector(partition, identity(partition.name(), slotMap, adoption))
                .to(home);
    }

    /**
     * Returns a connector to a replica, given as its partition with the replica's address. A command to it times out
     * after at most half of the time of a call, so that the primary has the other half.
     */
    PartitionConnector replica(PartitionOptions replica, SlotMap slotMap) {
        Duration half = options.deadlines().call().dividedBy(2);
        Duration whole = options.deadlines().command();
        Duration command = half.toMillis() < 1 || whole.compareTo(half) < 0 ? whole : half;
        return RedisConnector.create(
                        resources,
                        access(replica),
                        identity(replica.name(), slotMap, Adoption.NEVER),
                        new Deadlines(
                                options.deadlines().call(),
                                command,
                                options.deadlines().connect()),
                        clientName)
                .toReplica()
                .to(home);
    }

    private RedisConnector connector(PartitionOptions partition, PartitionIdentity identity) {
        return RedisConnector.create(resources, access(partition), identity, deadlines, clientName);
    }

    private PartitionIdentity identity(PartitionId name, SlotMap slotMap, Adoption adoption) {
        return new PartitionIdentity(
                name, slotMap, options.namespace(), options.sharedInstances(), adoption, keyPrefixes());
    }

    /** Returns the common part of all connections to a cluster. Connectors that are created later use it. */
    ClusterHome cluster(Adoption adoption) {
        PartitionId name = new PartitionId("cluster");
        PartitionIdentity whole = identity(name, SlotMap.ofEqualShares(1, List.of(name)), adoption);
        // The access of this node applies to all nodes.
        PartitionOptions reached = options.partitions().get(0);
        ClusterHome made = new ClusterHome(
                options.partitions().stream()
                        .map(ConnectorAssembly::requiredUri)
                        .map(uri -> new ClusterHome.Address(uri.host(), uri.port()))
                        .toList(),
                address -> connector(reached.at(name, address.host(), address.port()), whole),
                whole);
        home = made;
        return made;
    }

    private List<String> keyPrefixes() {
        String keyspace = options.namespace().isEmpty() ? "" : options.namespace() + "/";
        List<String> prefixes = new ArrayList<>();
        options.caches().forEach((name, cache) -> {
            String entityType = cache.entityType();
            prefixes.add(keyspace + (entityType == null ? name : entityType) + ":");
        });
        return prefixes;
    }

    private static ServerAccess access(PartitionOptions partition) {
        return new ServerAccess(
                requiredUri(partition),
                partition.access().tls(),
                partition.access().login().credentials(),
                partition.access().sentinels().credentials());
    }

    private static PartitionUri requiredUri(PartitionOptions partition) {
        PartitionUri uri = partition.uri();
        if (uri == null) {
            throw new CacheException("Partition %s has no URI".formatted(partition.name()));
        }
        return uri;
    }
}
