// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.cluster.local.LocalCluster;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.params.SetParams;

/**
 * Clients of a cluster of three primaries without replicas, each of which starts one for itself. All have the same codec, and store each
 * entry under a key of its own.
 */
final class ClusterContenders {
    private static final int PRIMARIES = 3;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final Duration TIMEOUT = Duration.ofMillis(TIMEOUT_MILLIS);

    /** So many that no thread waits for a connection. */
    private static final int CONNECTIONS = 64;

    private ClusterContenders() {}

    private static Contender open(Function<LocalCluster, Contender> opening) {
        LocalCluster cluster = LocalCluster.start(PRIMARIES, 0);
        try {
            return new WithCluster(cluster, opening.apply(cluster));
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    static Contender lettuce(Conditions conditions) {
        return open(cluster -> new LettuceCluster(cluster, conditions.lifetime()));
    }

    static Contender keyslot(Conditions conditions) {
        return open(cluster -> KeyslotContenders.cluster(conditions, cluster.uris()));
    }

    static Contender jedis(Conditions conditions) {
        return open(cluster -> new JedisCluster(cluster, conditions.lifetime()));
    }

    static Contender redisson(Conditions conditions) {
        return open(cluster -> new RedissonCluster(cluster, conditions.lifetime()));
    }

    /** A contender and the cluster that was started for it. */
    private record WithCluster(LocalCluster cluster, Contender contender) implements Contender {
        @Override
        public @Nullable Object get(long id) {
            return contender.get(id);
        }

        @Override
        public void put(long id, EncodedCustomer customer) {
            contender.put(id, customer);
        }

        @Override
        public Map<Long, ?> getAll(Batch batch) {
            return contender.getAll(batch);
        }

        @Override
        public void putAll(Batch batch) {
            contender.putAll(batch);
        }

        @Override
        public long invoke(long id) {
            return contender.invoke(id);
        }

        @Override
        public long transaction(long group, EncodedCustomer initial) {
            return contender.transaction(group, initial);
        }

        @Override
        public List<Long> serverPids() {
            return cluster.nodes().stream()
                    .map(node -> node.server().process().pid())
                    .toList();
        }

        @Override
        public void close() {
            try (cluster) {
                contender.close();
            }
        }
    }

    /** A contender that is compared by single entries only. */
    private abstract static class OneEntry implements Contender {
        @Override
        public Map<Long, ?> getAll(Batch batch) {
            throw new UnsupportedOperationException("getAll of a cluster is not compared");
        }

        @Override
        public void putAll(Batch batch) {
            throw new UnsupportedOperationException("putAll of a cluster is not compared");
        }

        @Override
        public long invoke(long id) {
            throw new UnsupportedOperationException("invoke of a cluster is not compared");
        }
    }

    /** Lettuce's own client of clusters, by its synchronous commands. */
    private static final class LettuceCluster extends OneEntry {
        private final SetArgs expiring;
        private final RedisClusterClient client;
        private final RedisAdvancedClusterCommands<byte[], byte[]> commands;

        LettuceCluster(LocalCluster cluster, Lifetime lifetime) {
            expiring = lifetime.isLimited() ? SetArgs.Builder.px(lifetime.millis()) : new SetArgs();
            client = RedisClusterClient.create(cluster.uris().stream()
                    .map(RedisURI::create)
                    .peek(uri -> uri.setTimeout(TIMEOUT))
                    .toList());
            commands = client.connect(ByteArrayCodec.INSTANCE).sync();
        }

        @Override
        public @Nullable Object get(long id) {
            byte[] value = commands.get(Keys.bytes(id));
            return value == null ? null : ValueForm.KRYO.read(value);
        }

        @Override
        public void put(long id, EncodedCustomer customer) {
            commands.set(Keys.bytes(id), ValueForm.KRYO.bytes(customer), expiring);
        }

        @Override
        public void close() {
            client.shutdown(Duration.ZERO, TIMEOUT);
        }
    }

    /** Jedis' client of clusters, with a pool of blocking connections to each node. */
    private static final class JedisCluster extends OneEntry {
        private final SetParams expiring;
        private final redis.clients.jedis.RedisClusterClient client;

        JedisCluster(LocalCluster cluster, Lifetime lifetime) {
            expiring = lifetime.isLimited() ? SetParams.setParams().px(lifetime.millis()) : SetParams.setParams();
            Set<HostAndPort> nodes = cluster.uris().stream()
                    .map(URI::create)
                    .map(uri -> new HostAndPort(uri.getHost(), uri.getPort()))
                    .collect(Collectors.toSet());
            ConnectionPoolConfig pool = new ConnectionPoolConfig();
            pool.setMaxTotal(CONNECTIONS);
            pool.setMaxIdle(CONNECTIONS);
            pool.setMaxWait(TIMEOUT);
            client = redis.clients.jedis.RedisClusterClient.builder()
                    .nodes(nodes)
                    .poolConfig(pool)
                    .build();
        }

        @Override
        public @Nullable Object get(long id) {
            byte[] value = client.get(Keys.bytes(id));
            return value == null ? null : ValueForm.KRYO.read(value);
        }

        @Override
        public void put(long id, EncodedCustomer customer) {
            client.set(Keys.bytes(id), ValueForm.KRYO.bytes(customer), expiring);
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** Redisson's client of clusters: a bucket for each entry, as its maps of the open edition are on one node each. */
    private static final class RedissonCluster extends OneEntry {
        private final Lifetime lifetime;
        private final RedissonClient client;

        RedissonCluster(LocalCluster cluster, Lifetime lifetime) {
            this.lifetime = lifetime;
            Config config = new Config();
            config.setCodec(RedissonContenders.codec());
            config.useClusterServers()
                    .addNodeAddress(cluster.uris().toArray(String[]::new))
                    .setTimeout(TIMEOUT_MILLIS);
            client = Redisson.create(config);
        }

        @Override
        public @Nullable Object get(long id) {
            return client.getBucket(Keys.text(id)).get();
        }

        @Override
        public void put(long id, EncodedCustomer customer) {
            if (lifetime.isLimited()) {
                client.getBucket(Keys.text(id)).set(customer.customer(), Duration.ofMillis(lifetime.millis()));
            } else {
                client.getBucket(Keys.text(id)).set(customer.customer());
            }
        }

        @Override
        public void close() {
            client.shutdown();
        }
    }
}
