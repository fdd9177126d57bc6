// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearValues;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a near cache answers, and when it asks the partition, in virtual time. */
class NearCacheTest {
    private static final Duration STALENESS = Duration.ofSeconds(2);
    private static final Duration INSTANT = Duration.ofMillis(1);
    private static final NearOptions NEAR = NearOptions.ofEntries(100).withStaleness(STALENESS);

    @AutoClose
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(
            KeyslotSettings.defaults().withPartitions(2).withProperty("keyslot.metrics", "false"));

    private final List<Command<?>> sent = new ArrayList<>();

    private <K, V> Cache<K, V> cache(int process, PartitionedConfiguration<K, V> configuration) {
        Cache<K, V> cache = keyslot.cacheManager(process).createCache("near", configuration);
        keyslot.advance(INSTANT); // until the probe was told
        return cache;
    }

    private static PartitionedConfiguration<String, String> near(NearOptions options) {
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
        configuration.setTypes(String.class, String.class);
        configuration.setNear(options);
        return configuration;
    }

    private static PartitionedConfiguration<String, String> plain() {
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
        configuration.setTypes(String.class, String.class);
        return configuration;
    }

    /** Hears what is sent from now on, but for probes and pings. */
    private void listen() {
        keyslot.partitions()
                .forEach(partition -> partition.watch(command -> {
                    if (command.keys().stream()
                            .map(EncodedKey::text)
                            .noneMatch(key -> key.startsWith("keyslot:near:"))) {
                        sent.add(command);
                    }
                }));
    }

    @Test
    void secondRead_asksNobody() {
        Cache<String, String> cache = cache(0, near(NEAR));
        cache.put("a", "1");
        cache.get("a");
        listen();

        assertThat(cache.get("a")).isEqualTo("1");
        assertThat(cache.containsKey("a")).isTrue();
        assertThat(cache.getAll(Set.of("a"))).containsExactly(Map.entry("a", "1"));
        assertThat(sent).isEmpty();
    }

    /** Ways to change an entry that has a copy. */
    @SuppressWarnings("ImmutableEnumChecker")
    enum Change {
        PUT(cache -> cache.put("a", "2")),
        PUT_ALL(cache -> cache.putAll(Map.of("a", "2"))),
        GET_AND_PUT(cache -> cache.getAndPut("a", "2")),
        REPLACE(cache -> cache.replace("a", "2")),
        REPLACE_IF(cache -> cache.replace("a", "1", "2")),
        INVOKE(cache -> cache.invoke("a", (entry, arguments) -> {
            entry.setValue("2");
            return null;
        })),
        INVOKE_ALL(cache -> cache.invokeAll(Set.of("a"), (entry, arguments) -> {
            entry.setValue("2");
            return null;
        })),
        REMOVE(cache -> cache.remove("a")),
        REMOVE_IF(cache -> cache.remove("a", "1")),
        GET_AND_REMOVE(cache -> cache.getAndRemove("a")),
        REMOVE_ALL(cache -> cache.removeAll(Set.of("a"))),
        REMOVE_ALL_THERE_IS(Cache::removeAll),
        CLEAR(Cache::clear),
        ASYNC(cache -> {
            @SuppressWarnings("unchecked")
            PartitionedCache<String, String> partitioned = cache.unwrap(PartitionedCache.class);
            partitioned.putAsync("a", "2").toCompletableFuture().join();
        });

        private final Consumer<Cache<String, String>> change;

        Change(Consumer<Cache<String, String>> change) {
            this.change = change;
        }
    }

    @ParameterizedTest
    @EnumSource
    void ownChange_isSeen(Change change) {
        Cache<String, String> cache = cache(0, near(NEAR));
        Cache<String, String> truth = cache(1, plain());
        cache.put("a", "1");
        cache.get("a");

        change.change.accept(cache);

        assertThat(cache.get("a")).isEqualTo(truth.get("a")).isNotEqualTo("1");
    }

    @Test
    void entryThatExpires_isNotServedAfterwards() {
        PartitionedConfiguration<String, String> configuration = near(NEAR);
        configuration.setExpiryPolicyFactory(
                CreatedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.SECONDS, 1)));
        Cache<String, String> cache = cache(0, configuration);
        cache.put("a", "1");
        cache.get("a");

        keyslot.advance(Duration.ofMillis(990));
        assertThat(cache.get("a")).isEqualTo("1");
        keyslot.advance(Duration.ofMillis(10));
        assertThat(cache.get("a")).isNull();
    }

    @Test
    void policyThatLooksAtAccesses_isAskedEachTime() {
        PartitionedConfiguration<String, String> configuration = near(NEAR);
        configuration.setExpiryPolicyFactory(
                TouchedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.SECONDS, 10)));
        Cache<String, String> cache = cache(0, configuration);
        cache.put("a", "1");
        for (int i = 0; i < 5; i++) {
            keyslot.advance(Duration.ofSeconds(8));
            assertThat(cache.get("a")).isEqualTo("1");
        }
    }

    /** The word of a partition is newer than its silence: without any, nothing is served after staleness. */
    @Test
    void copy_isServedWhileThePartitionIsSilent_forStalenessAtMost() {
        PartitionedConfiguration<String, String> configuration = near(NEAR);
        configuration.setMissingPartition(MissingPartitionPolicy.MISS);
        Cache<String, String> reader = cache(0, configuration);
        Cache<String, String> writer = cache(1, plain());
        writer.put("a", "1");
        reader.get("a");
        PartitionFaults partition = keyslot.partitionOf(writer, "a");

        partition.cut(0);
        writer.put("a", "2");

        keyslot.advance(Duration.ofMillis(1_900));
        assertThat(reader.get("a")).isEqualTo("1");
        keyslot.advance(Duration.ofMillis(110));
        assertThat(reader.get("a")).isNotEqualTo("1");
    }

    @Test
    void readsOfCopiesAlone_areServedAsLongAsThePartitionAnswersPings() {
        Cache<String, String> cache = cache(0, near(NEAR));
        cache.put("a", "1");
        cache.get("a");
        listen();

        for (int i = 0; i < 100; i++) {
            keyslot.advance(Duration.ofMillis(700));
            assertThat(cache.get("a")).isEqualTo("1");
        }

        assertThat(sent).isEmpty();
    }

    @Test
    void copiesOfAMissingPartition_areServedForSoLong_ifThatIsAskedFor() {
        PartitionedConfiguration<String, String> configuration = near(NEAR.withWhenMissing(Duration.ofSeconds(30)));
        configuration.setMissingPartition(MissingPartitionPolicy.FAIL);
        Cache<String, String> cache = cache(0, configuration);
        cache.putAll(Map.of("a", "1"));
        cache.get("a");
        PartitionFaults partition = keyslot.partitionOf(cache, "a");

        partition.kill();
        assertThat(cache.get("a")).isEqualTo("1");
        assertThat(cache.getAll(Set.of("a"))).isEqualTo(Map.of("a", "1"));
        keyslot.advance(Duration.ofSeconds(28));
        assertThat(cache.get("a")).isEqualTo("1");
        keyslot.advance(Duration.ofSeconds(3));
        assertThatThrownBy(() -> cache.get("a")).isInstanceOf(KeyslotException.class);

        partition.restartEmpty();
        keyslot.advance(Duration.ofSeconds(5));
        assertThat(cache.get("a")).isNull();
    }

    @Test
    void connectionThatIsReset_isFollowedByAnother_thatTellsOfChangesToo() {
        Cache<String, String> reader = cache(0, near(NEAR));
        Cache<String, String> writer = cache(1, plain());
        writer.put("a", "1");
        reader.get("a");

        keyslot.partitions().forEach(PartitionFaults::resetConnections);
        writer.put("a", "2");
        assertThat(reader.get("a")).isEqualTo("2");
        assertThat(reader.get("a")).isEqualTo("2");
        keyslot.advance(INSTANT);
        writer.put("a", "3");
        assertThat(reader.get("a")).isEqualTo("3");
    }

    @Test
    void sharedValue_isTheSameForAll_andACopyIsNot() {
        PartitionedConfiguration<Long, ArrayList<String>> configuration = new PartitionedConfiguration<>();
        configuration.setNear(NEAR);
        Cache<Long, ArrayList<String>> copying = keyslot.cacheManager().createCache("copying", configuration);
        configuration.setNear(NEAR.withValues(NearValues.SHARED));
        Cache<Long, ArrayList<String>> sharing = keyslot.cacheManager().createCache("sharing", configuration);
        for (Cache<Long, ArrayList<String>> cache : List.of(copying, sharing)) {
            cache.put(1L, new ArrayList<>(List.of("one")));
            cache.get(1L);
            cache.get(1L);
        }

        assertThat(sharing.get(1L)).isSameAs(sharing.get(1L));
        assertThat(copying.get(1L)).isNotSameAs(copying.get(1L)).containsExactly("one");
        copying.get(1L).add("two");
        assertThat(copying.get(1L)).containsExactly("one");
    }

    private record Address(String street, int number, UUID id) implements Serializable {}

    @Test
    void valueThatNobodyCanChange_isSharedInAnyCase() {
        PartitionedConfiguration<UUID, Address> configuration = new PartitionedConfiguration<>();
        configuration.setTypes(UUID.class, Address.class);
        configuration.setNear(NEAR);
        Cache<UUID, Address> cache = cache(0, configuration);
        UUID key = new UUID(1, 2);
        cache.put(key, new Address("road", 1, key));
        cache.get(key);

        assertThat(cache.get(new UUID(1, 2))).isSameAs(cache.get(key));
    }

    @Test
    void statistics_countHitsOfCopies() throws Exception {
        PartitionedConfiguration<String, String> configuration = near(NEAR);
        configuration.setStatisticsEnabled(true);
        Cache<String, String> cache = cache(0, configuration);
        cache.put("a", "1");
        cache.get("a");
        listen();
        cache.get("a");
        cache.get("a");
        cache.getAll(Set.of("a", "b"));

        assertThat(sent).hasSize(1); // of what is not there
        assertThat(counted(cache, "CacheHits")).isEqualTo(4L);
        assertThat(counted(cache, "CacheMisses")).isEqualTo(1L);
    }

    private static Object counted(Cache<?, ?> cache, String what) throws JMException {
        ObjectName name = new ObjectName("javax.cache:type=CacheStatistics,CacheManager=%s,Cache=%s"
                .formatted(cache.getCacheManager().getURI().toString().replaceAll("[,:=\n]", "."), cache.getName()));
        return ManagementFactory.getPlatformMBeanServer().getAttribute(name, what);
    }

    @Test
    void bound_isKept() {
        Cache<String, String> cache = cache(0, near(NearOptions.ofEntries(10)));
        for (int i = 0; i < 1_000; i++) {
            cache.put("k" + i, "1");
            cache.get("k" + i);
        }
        listen();
        for (int i = 0; i < 1_000; i++) {
            cache.get("k" + i);
        }

        assertThat(sent).hasSizeGreaterThan(900);
    }
}
