// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.cache.Caching;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of the index of a group on a server that evicts and expires what it likes. */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class IndexIT {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final EntityKey ROOT = EntityKey.of("customer", 99);
    private static final String INDEX = new GroupHome("customer:99").index().text();

    private TestServers servers;
    private PartitionedCacheManager manager;
    private RedisClient client;
    private RedisCommands<String, String> plain;
    private CacheGroup group;
    private GroupRows<String> rows;

    @BeforeEach
    void start() {
        servers = TestServers.start(1);
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", String.join(",", servers.uris()));
        properties.setProperty("keyslot.deadlines.call", "5s");
        properties.setProperty("keyslot.deadlines.command", "2s");
        manager = Caching.getCachingProvider()
                .getCacheManager(null, null, properties)
                .unwrap(PartitionedCacheManager.class);
        client = RedisClient.create(servers.uris().get(0));
        plain = client.connect().sync();
        group = manager.group(ROOT);
        rows = group.rows("row", String.class);
    }

    @AfterEach
    void end() throws Exception {
        manager.close();
        client.shutdown();
        servers.close();
    }

    @Test
    void evictedIndex_hasRowsAgainAsTheyAreWritten_andAllAfterReindex() {
        rows.put("a", "1");
        rows.put("b", "2", MINUTE);
        rows.put("c", "3");
        plain.unlink(INDEX);

        assertThat(rows.ids()).isEmpty();
        assertThat(rows.get("a")).isEqualTo("1");
        rows.put("b", "4", MINUTE);
        assertThat(rows.ids()).containsExactly("b");
    }

    @Test
    void rangeWhileRowsExpire_hasAllThatLastInOrder_andForgetsTheOthers() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<String> lasting =
                IntStream.range(0, 300).mapToObj(i -> "%04d".formatted(2 * i)).toList();
        lasting.forEach(id -> rows.put(id, "lasting"));
        AtomicBoolean enough = new AtomicBoolean();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            while (!enough.get()) {
                rows.put(
                        "%04d".formatted(2 * random.nextInt(300) + 1),
                        "short",
                        Duration.ofMillis(1 + random.nextInt(20)));
            }
        });

        for (int i = 0; i < 200; i++) {
            List<String> ids = rows.limit(1_000).ids();
            assertThat(ids)
                    .as("seed %d", seed)
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .containsAll(lasting);
        }
        enough.set(true);

        assertThat(writing).succeedsWithin(Duration.ofSeconds(10));
        Awaitility.await().atMost(10, TimeUnit.SECONDS).untilAsserted(() -> {
            assertThat(rows.limit(1_000).ids()).isEqualTo(lasting);
            assertThat(plain.zcard(INDEX)).isEqualTo(lasting.size());
        });
    }
}
