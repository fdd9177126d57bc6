// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.cache.Deadlines;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.TlsOptions;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.RedisConnector;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.client.partition.redis.ServerAccess;
import io.keyslot.client.partition.redis.TlsIdentity;
import io.keyslot.slot.SlotMap;
import java.util.ArrayList;
import java.util.List;
import javax.cache.CacheException;

/** Says how instances are reached, by the options of a client. */
final class ConnectorAssembly {
    private final RedisResources resources;
    private final ClientOptions options;
    private final Deadlines deadlines;
    private final String clientName;

    /** @param clientName what the connections are called at the instances */
    ConnectorAssembly(RedisResources resources, ClientOptions options, String clientName) {
        this(resources, options, options.deadlines(), clientName);
    }

    /** As above, with other deadlines than those of the options. */
    ConnectorAssembly(RedisResources resources, ClientOptions options, Deadlines deadlines, String clientName) {
        this.resources = resources;
        this.options = options;
        this.deadlines = deadlines;
        this.clientName = clientName;
    }

    /**
     * Returns a connector to a partition; nothing is connected yet.
     *
     * @param slotMap the newest one that is known
     */
    PartitionConnector connector(PartitionOptions partition, SlotMap slotMap, Adoption adoption) {
        return RedisConnector.create(
                resources,
                access(partition),
                new PartitionIdentity(
                        partition.name(),
                        slotMap,
                        options.namespace(),
                        options.sharedInstances(),
                        adoption,
                        keyPrefixes()),
                deadlines,
                clientName);
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
        TlsOptions tls = partition.access().tls();
        return new ServerAccess(
                requiredUri(partition),
                new TlsIdentity(tls.identity(), tls.trusted(), tls.serverName()),
                partition.access().login().credentials(),
                partition.access().sentinels().credentials());
    }

    private static String requiredUri(PartitionOptions partition) {
        PartitionUri uri = partition.uri();
        if (uri == null) {
            throw new CacheException("Partition %s has no URI".formatted(partition.name()));
        }
        return uri.reveal();
    }
}
