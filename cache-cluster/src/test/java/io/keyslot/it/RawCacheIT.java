// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.slot.HashSlot;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A raw cache, and another program that reads and writes its values at the instances, by what the documents say of them. */
@SuppressWarnings("NullAway.Init") // the servers are set before all tests
@SideBySide
class RawCacheIT {
    private static final int INSTANCES = 3;
    private static final String KEY = "99";

    /** As the key stands at its instance. */
    private static final String STORED = "customer:99";

    private static final String ADA = "{\"name\":\"Ada\"}";
    private static final String EVE = "{\"name\":\"Eve\"}";

    private static TestServers servers;
    private static List<RedisClient> foreign;

    private CacheManager manager;
    private Cache<String, String> cache;

    @BeforeAll
    static void startServers() {
        servers = TestServers.start(INSTANCES);
        foreign = servers.uris().stream().map(RedisClient::create).toList();
    }

    @AfterAll
    static void endServers() throws Exception {
        foreign.forEach(RedisClient::shutdown);
        servers.close();
    }

    @BeforeEach
    void open() {
        manager = KeyslotManagers.openPatiently(
                "raw",
                servers.uris(),
                Map.of("keyslot.caches.customer.layout", "raw", "keyslot.caches.customer.codec", "string"));
        cache = manager.createCache("customer", texts());
        cache.clear();
    }

    @AfterEach
    void close() {
        cache.clear();
        manager.close();
    }

    private static PartitionedConfiguration<String, String> texts() {
        return new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
    }

    private static PartitionedConfiguration<String, String> raw(String entityType) {
        return texts().setEntityType(entityType).setLayout(ValueLayout.RAW);
    }

    /** As a program of another kind would do it, for three equal shares. */
    private static RedisClient ownerOf(String key) {
        int slot = HashSlot.of(key.getBytes(StandardCharsets.UTF_8));
        return foreign.get(slot < 5462 ? 0 : slot < 10923 ? 1 : 2);
    }

    /** Returns what another program is answered, as text. */
    private static String foreign(String key, Function<RedisCommands<String, String>, ?> work) {
        try (StatefulRedisConnection<String, String> connection = ownerOf(key).connect(StringCodec.UTF8)) {
            return String.valueOf(work.apply(connection.sync()));
        }
    }

    private static void foreignSets(String key, byte[] value) {
        try (StatefulRedisConnection<byte[], byte[]> connection = ownerOf(key).connect(ByteArrayCodec.INSTANCE)) {
            connection.sync().set(key.getBytes(StandardCharsets.UTF_8), value);
        }
    }

    @Test
    void whatIsPut_isReadByAForeignClient_andWhatHeSetsIsRead() {
        cache.put(KEY, ADA);
        assertThat(foreign(STORED, redis -> redis.get(STORED))).isEqualTo(ADA);

        foreign(STORED, redis -> redis.set(STORED, EVE));
        assertThat(cache.get(KEY)).isEqualTo(EVE);
        assertThat(cache.getAll(Set.of(KEY, "1"))).isEqualTo(Map.of(KEY, EVE));
        assertThat(cache.replace(KEY, ADA, "ours")).isFalse();
        assertThat(cache.replace(KEY, EVE, "ours")).isTrue();
        assertThat(cache.remove(KEY, EVE)).isFalse();

        foreign(STORED, redis -> redis.del(STORED));
        assertThat(cache.containsKey(KEY)).isFalse();
        assertThat(cache.putIfAbsent(KEY, ADA)).isTrue();
        assertThat(cache.getAndRemove(KEY)).isEqualTo(ADA);
        assertThat(foreign(STORED, redis -> redis.exists(STORED))).isEqualTo("0");
    }

    @Test
    void iteratorAndClear_knowWhatAForeignClientHasAdded_andNothingElse() {
        Map<String, String> expected = new TreeMap<>();
        for (int i = 0; i < 50; i++) {
            String key = "customer:" + i;
            foreign(key, redis -> redis.set(key, ADA));
            expected.put("" + i, ADA);
        }
        foreign("other:1", redis -> redis.set("other:1", EVE));

        Map<String, String> seen = new TreeMap<>();
        cache.forEach(entry -> seen.put(entry.getKey(), entry.getValue()));
        assertThat(seen).isEqualTo(expected);

        cache.clear();
        assertThat(cache.iterator().hasNext()).isFalse();
        assertThat(foreign("customer:7", redis -> redis.exists("customer:7"))).isEqualTo("0");
        assertThat(foreign("other:1", redis -> redis.del("other:1"))).isEqualTo("1");
    }

    @Test
    void timeToLiveOfAForeignClient_isHonoured_andKeptByAChangeThatSetsNone() {
        foreign(STORED, redis -> redis.set(STORED, ADA, SetArgs.Builder.ex(60)));
        cache.put(KEY, EVE);
        assertThat(Long.parseLong(foreign(STORED, redis -> redis.ttl(STORED)))).isBetween(1L, 60L);
        cache.invoke(KEY, (entry, arguments) -> {
            entry.setValue(ADA);
            return null;
        });
        assertThat(Long.parseLong(foreign(STORED, redis -> redis.ttl(STORED)))).isBetween(1L, 60L);

        foreign(STORED, redis -> redis.pexpire(STORED, 1));
        await().until(() -> !cache.containsKey(KEY));
        assertThat(cache.get(KEY)).isNull();
    }

    /** Both count by comparing what they have read: neither loses a count of the other. */
    @Test
    void countsOfOurInvokes_andOfForeignTransactions_areAllThere() throws Exception {
        int times = 150;
        cache.put(KEY, "0");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < 2; thread++) {
                all.add(threads.submit(() -> countByInvoke(times)));
                all.add(threads.submit(() -> countByTransactions(times)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(cache.get(KEY)).isEqualTo("" + 4 * times);
    }

    private void countByInvoke(int times) {
        for (int i = 0; i < times; i++) {
            cache.invoke(KEY, (entry, arguments) -> {
                entry.setValue("" + (Integer.parseInt(entry.getValue()) + 1));
                return null;
            });
        }
    }

    private static void countByTransactions(int times) {
        try (StatefulRedisConnection<String, String> connection =
                ownerOf(STORED).connect(StringCodec.UTF8)) {
            RedisCommands<String, String> redis = connection.sync();
            for (int done = 0; done < times; ) {
                redis.watch(STORED);
                int count = Integer.parseInt(Objects.requireNonNull(redis.get(STORED)));
                redis.multi();
                redis.set(STORED, "" + (count + 1));
                if (!redis.exec().wasDiscarded()) {
                    done++;
                }
            }
        }
    }

    @Test
    void whatIsNoValue_isToldByName_andStaysAsItIs() {
        foreignSets(STORED, new byte[] {(byte) 0xff, 1, 2});

        assertThatThrownBy(() -> cache.get(KEY))
                .isInstanceOf(CodecException.class)
                .hasMessageContainingAll("Cache customer", STORED, "a string of 3 bytes", "codec string");
        assertThatThrownBy(() -> cache.getAll(Set.of(KEY))).isInstanceOf(CodecException.class);
        assertThatThrownBy(() -> cache.replace(KEY, ADA)).isInstanceOf(CodecException.class);
        assertThat(foreign(STORED, redis -> redis.strlen(STORED))).isEqualTo("3");

        cache.put(KEY, ADA);
        assertThat(cache.get(KEY)).isEqualTo(ADA);
    }

    @Test
    void longKey_isShownByItsBeginning() {
        String key = "x".repeat(300);
        foreignSets("customer:" + key, new byte[] {(byte) 0xff});

        assertThatThrownBy(() -> cache.get(key))
                .hasMessageContaining("customer:xxx")
                .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(350));
    }

    @Test
    void anotherType_isToldByName_andStaysAsItIs() {
        foreign(STORED, redis -> redis.hset(STORED, "name", "Ada"));

        assertThatThrownBy(() -> cache.get(KEY))
                .isInstanceOf(CodecException.class)
                .hasMessageContainingAll("Cache customer", STORED, "no string");
        assertThatThrownBy(() -> cache.putIfAbsent(KEY, ADA))
                .isInstanceOfAny(CodecException.class, PartitionUnavailableException.class);
        cache.removeAll(Set.of(KEY));
        cache.clear();
        assertThat(foreign(STORED, redis -> redis.hget(STORED, "name"))).isEqualTo("Ada");
        assertThat(foreign(STORED, redis -> redis.del(STORED))).isEqualTo("1");
    }

    @Test
    void entryOfTheOtherLayout_isNone_andIsReplaced() {
        CacheManager before = KeyslotManagers.openPatiently("enveloped", servers.uris());
        try {
            Cache<String, String> enveloped = before.createCache("customer", texts());
            enveloped.put(KEY, EVE);

            assertThat(cache.get(KEY)).isNull();
            assertThat(cache.putIfAbsent(KEY, ADA)).isTrue();
            assertThat(cache.get(KEY)).isEqualTo(ADA);
            assertThat(enveloped.get(KEY)).isNull();
        } finally {
            before.close();
        }
    }

    @Test
    void valueThatReadsAsAnEntryWithAHeader_isRefused() {
        Cache<String, byte[]> bytes = manager.createCache(
                "bytes",
                new PartitionedConfiguration<String, byte[]>()
                        .setTypes(String.class, byte[].class)
                        .setLayout(ValueLayout.RAW));
        byte[] mistakable = Envelope.of(7, new byte[3]).toBytes(EncodedKey.of("bytes:1"), 0);

        assertThatThrownBy(() -> bytes.put("1", mistakable))
                .isInstanceOf(PartitionUnavailableException.class)
                .hasMessageContaining("reads as one that stands behind a header");
        assertThatThrownBy(() -> bytes.putIfAbsent("1", mistakable)).isInstanceOf(PartitionUnavailableException.class);
        assertThat(bytes.containsKey("1")).isFalse();
        bytes.put("2", mistakable); // another key's checksum says nothing
        assertThat(bytes.get("2")).isEqualTo(mistakable);
        bytes.clear();
    }

    @Test
    void foreignChange_isSeenThroughANearCache() {
        Cache<String, String> near = manager.createCache("near", raw("near").setNear(NearOptions.ofEntries(100)));
        near.put("1", ADA);
        await().untilAsserted(() -> assertThat(near.get("1")).isEqualTo(ADA));
        for (int i = 0; i < 20; i++) {
            String value = "value " + i;
            foreign("near:1", redis -> redis.set("near:1", value));
            await().untilAsserted(() -> assertThat(near.get("1")).isEqualTo(value));
        }
        near.clear();
    }

    @Test
    void largestValue_isOneString_andALargerOneIsRefused() {
        String largest = "x".repeat(8 * 1024 * 1024);
        cache.put(KEY, largest);
        assertThat(foreign(STORED, redis -> redis.strlen(STORED))).isEqualTo("" + largest.length());
        assertThat(cache.replace(KEY, largest, ADA)).isTrue();
        assertThatThrownBy(() -> cache.put(KEY, largest + "x")).hasMessageContaining("the limit is 8388608");
    }
}
