// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.CustomerCodec;
import io.keyslot.benchmarks.contender.KeyslotProvider;
import io.keyslot.benchmarks.measure.Duel;
import io.keyslot.benchmarks.server.BenchmarkServers;
import io.keyslot.benchmarks.server.ServerProcess;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** One server, and beside each other Keyslot with a cache of members of groups, and plain Lettuce. */
final class GroupTrial implements AutoCloseable {
    private final BenchmarkServers servers = BenchmarkServers.open(1);
    private final RedisClient client = RedisClient.create();
    private final StatefulRedisConnection<byte[], byte[]> lettuce;
    private final PartitionedCacheManager manager;
    private final PartitionedCache<EntityKey, Customer> orders;

    GroupTrial(boolean indexed) {
        URI server = servers.uris().get(0);
        lettuce = client.connect(ByteArrayCodec.INSTANCE, RedisURI.create(server));
        manager = KeyslotProvider.open("groups", server.toString());
        PartitionedConfiguration<EntityKey, Customer> configuration = new PartitionedConfiguration<>();
        configuration.setGroupedBy("customer").setIndexed(indexed).setCodecFactory(CustomerCodec::new);
        configuration.setTypes(EntityKey.class, Customer.class);
        orders = manager.createCache("order", configuration);
    }

    static EntityKey root(int customer) {
        return EntityKey.of("customer", customer);
    }

    static EntityKey order(EntityKey root, int number) {
        return EntityKey.of("order", rowId(number)).in(root);
    }

    static String rowId(int number) {
        return "%06d".formatted(number);
    }

    /** Returns the bytes under which an order is stored. */
    static byte[] stored(EntityKey key) {
        return key.toString().getBytes(StandardCharsets.US_ASCII);
    }

    PartitionedCacheManager manager() {
        return manager;
    }

    PartitionedCache<EntityKey, Customer> orders() {
        return orders;
    }

    StatefulRedisConnection<byte[], byte[]> lettuce() {
        return lettuce;
    }

    Duel duel() {
        return new Duel(servers.processes().stream().map(ServerProcess::pid).toList(), System::nanoTime);
    }

    @Override
    public void close() {
        manager.close();
        lettuce.close();
        client.shutdown();
        servers.close();
    }
}
