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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Clients of a cluster of three primaries without replicas, each of which starts one for itself. All have the same codec, and store each
 * entry under a key of its own.
 */
final class ClusterContenders {
    private static final int PRIMARIES = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

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

    /** Lettuce's own client of clusters, by its synchronous commands. */
    private static final class LettuceCluster implements Contender {
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

        @Override
        public void close() {
            client.shutdown(Duration.ZERO, TIMEOUT);
        }
    }
}
