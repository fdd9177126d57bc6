// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.slot.HashSlot;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.cache.Cache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values that are compressed with a dictionary, which is stored at one of three servers, and larger than a value may be. */
class DictionaryIT {
    private static final String KEYS = "keyslot:{keyslot:order}:dictionary*";

    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final LocalServers servers = TestServers.none();
    private final List<LocalServer> all = servers.start(3);
    private int opened;

    @AfterEach
    void close() {
        servers.close();
    }

    private PartitionedCacheManager open(String dictionary) {
        opened++;
        return KeyslotManagers.openPatiently(
                        "dictionary-" + opened,
                        all.stream().map(LocalServer::uri).toList(),
                        Map.of(
                                "keyslot.caches.order.compression.dictionary",
                                dictionary,
                                "keyslot.limits.valueBytes",
                                "8KiB"))
                .unwrap(PartitionedCacheManager.class);
    }

    private static Cache<Long, String> orders(PartitionedCacheManager manager) {
        return manager.createCache(
                "order", new PartitionedConfiguration<Long, String>().setTypes(Long.class, String.class));
    }

    private static String order(long number) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "article " + (number * i % 997) + ", amount " + i)
                .collect(Collectors.joining("; "));
    }

    private int ownerOfDictionaries() {
        return HashSlot.of("keyslot:order") * all.size() / HashSlot.COUNT;
    }

    /** Returns the dictionaries by key, and removes them from the servers if that is wanted. */
    private Map<String, Integer> dictionaries(boolean isToRemove) {
        Map<String, Integer> found = new HashMap<>();
        for (LocalServer server : all) {
            try (RedisClient client = RedisClient.create(server.uri());
                    StatefulRedisConnection<String, String> connection = client.connect()) {
                for (String key : connection.sync().keys(KEYS)) {
                    found.put(key, connection.sync().strlen(key).intValue());
                    if (isToRemove) {
                        connection.sync().del(key);
                    }
                }
            }
        }
        return found;
    }

    @Test
    void valuesOfAnotherProcess_areRead_andAreMissesWithoutTheirDictionary() {
        try (PartitionedCacheManager writer = open("sampled")) {
            Cache<Long, String> orders = orders(writer);
            await().atMost(LONGEST).until(() -> {
                LongStream.range(0, 100).forEach(number -> orders.put(number, order(number)));
                return dictionaries(false).size() == 2;
            });
            LongStream.range(0, 100).forEach(number -> orders.put(number, order(number)));
            assertThat(dictionaries(false).values())
                    .allSatisfy(size -> assertThat(size).isGreaterThan(16_000));

            for (String setting : List.of("sampled", "none")) {
                try (PartitionedCacheManager reader = open(setting)) {
                    Cache<Long, String> read = orders(reader);
                    LongStream.range(0, 100)
                            .forEach(number -> assertThat(read.get(number)).isEqualTo(order(number)));
                    assertThat(read).hasSize(100); // a scan sees no dictionary
                    assertThat(dictionaries(false)).hasSize(2);
                }
            }

            try (PartitionedCacheManager late = open("sampled")) {
                Cache<Long, String> read = orders(late);
                int owner = ownerOfDictionaries();
                all.get(owner).suspend();
                List<Long> elsewhere = LongStream.range(0, 100)
                        .boxed()
                        .filter(number -> HashSlot.of("order:" + number) * all.size() / HashSlot.COUNT != owner)
                        .limit(5)
                        .toList();
                elsewhere.forEach(number -> assertThat(read.get(number)).isNull());
                all.get(owner).resume();
                elsewhere.forEach(number -> await().ignoreExceptions()
                        .atMost(LONGEST)
                        .untilAsserted(() -> assertThat(read.get(number)).isEqualTo(order(number))));
            }
            try (PartitionedCacheManager late = open("sampled")) {
                Cache<Long, String> read = orders(late);
                dictionaries(true);
                LongStream.range(0, 10)
                        .forEach(number -> assertThat(read.get(number)).isNull());
                LongStream.range(10, 100)
                        .forEach(number -> assertThat(orders.get(number)).isEqualTo(order(number)));
            }
            assertThatThrownBy(() -> writer.erase(EntityKey.of("order", 1L)))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("keyslot:{keyslot:order}:dictionary*");
            orders.clear();
        }
    }

    @Test
    void dictionary_survivesClear() {
        try (PartitionedCacheManager manager = open("sampled")) {
            Cache<Long, String> orders = orders(manager);
            await().atMost(LONGEST).until(() -> {
                LongStream.range(0, 100).forEach(number -> orders.put(number, order(number)));
                return dictionaries(false).size() == 2;
            });
            orders.clear();
            orders.removeAll();

            assertThat(dictionaries(false)).hasSize(2);
        }
    }
}
