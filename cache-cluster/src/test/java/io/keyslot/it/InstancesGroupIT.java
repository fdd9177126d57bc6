// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.cache.Caching;
import javax.cache.spi.CachingProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contracts of aggregates on three real servers. */
@SuppressWarnings("NullAway.Init") // the servers are set before all tests
@SideBySide
class InstancesGroupIT extends ServersGroups {
    private static TestServers servers;
    private static CachingProvider provider;
    private static PartitionedCacheManager manager;

    @BeforeAll
    static void startServers() {
        servers = TestServers.start(3);
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", String.join(",", servers.uris()));
        // A machine that builds is slow at times.
        properties.setProperty("keyslot.deadlines.call", "5s");
        properties.setProperty("keyslot.deadlines.command", "2s");
        provider = Caching.getCachingProvider();
        manager = provider.getCacheManager(null, null, properties).unwrap(PartitionedCacheManager.class);
    }

    @AfterAll
    static void endServers() throws Exception {
        manager.close();
        servers.close();
    }

    @Override
    PartitionedCacheManager manager() {
        return manager;
    }

    @Test
    void server_showsWhatAPersonExpects() {
        CacheGroup group = manager.group(EntityKey.of("customer", 99));
        group.hash("cart", String.class, Integer.class).putAll(Map.of("apples", 5));
        group.list("history", String.class).addAll(List.of("login", "zürich"));
        group.set("orders", Long.class).add(1001L);
        group.sortedSet("ratings", String.class).add("apples", 4.5);
        group.counter("visits").set(7);

        RedisClient client = RedisClient.create(uriOf(group));
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            RedisCommands<String, String> commands = connection.sync();
            assertThat(commands.hgetall("cart:{customer:99}")).isEqualTo(Map.of("apples", "5"));
            assertThat(commands.lrange("history:{customer:99}", 0, -1)).containsExactly("login", "zürich");
            assertThat(commands.smembers("orders:{customer:99}")).containsExactly("1001");
            assertThat(commands.zrangeWithScores("ratings:{customer:99}", 0, -1))
                    .containsExactly(ScoredValue.just(4.5, "apples"));
            assertThat(commands.get("visits:{customer:99}")).isEqualTo("7");
            assertThat(commands.keys("*{customer:99}*")).hasSize(6).contains("keyslot:{customer:99}");
        } finally {
            client.shutdown();
        }
    }

    private static String uriOf(CacheGroup group) {
        return servers.uri(manager.slotMap().partitions().indexOf(group.partition()));
    }
}
