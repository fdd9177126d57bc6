// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.cluster.local.LocalCluster;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lettuce's cluster client with synchronous commands and Kryo, over a cluster that is started for it. */
final class LettuceClusterContender implements Contender {
    private static final int PRIMARIES = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final LocalCluster cluster = start();
    private final RedisClusterClient client;
    private final RedisAdvancedClusterCommands<byte[], byte[]> commands;
    private final SetArgs expiring;

    LettuceClusterContender(Conditions conditions) {
        Lifetime lifetime = conditions.lifetime();
        expiring = lifetime.isLimited() ? SetArgs.Builder.px(lifetime.millis()) : new SetArgs();
        client = RedisClusterClient.create(cluster.uris().stream()
                .map(RedisURI::create)
                .peek(uri -> uri.setTimeout(TIMEOUT))
                .toList());
        commands = client.connect(ByteArrayCodec.INSTANCE).sync();
    }

    static LocalCluster start() {
        return LocalCluster.start(PRIMARIES, 0);
    }

    static List<Long> pids(LocalCluster cluster) {
        return cluster.nodes().stream()
                .map(node -> node.server().process().pid())
                .toList();
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
    public List<Long> serverPids() {
        return pids(cluster);
    }

    @Override
    public void close() {
        try (cluster) {
            client.shutdown(Duration.ZERO, TIMEOUT);
        }
    }
}
