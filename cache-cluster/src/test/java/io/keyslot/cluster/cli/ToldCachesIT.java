// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.json.JsonReader;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.HashSlot;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code keyslot stats} and {@code keyslot top} say of caches is what two processes have done with them. */
@Tag("thorough")
@SideBySide
class ToldCachesIT {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int ENTRIES = 20;
    private static final int READS = 3;
    private static final int LOADED = 6;
    private static final int REMOVED = 8;
    private static final int NEVER_THERE = 12;

    /** Has a value for keys that begin with "there". */
    public static final class SomeValues implements CacheLoader<String, String>, Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public @Nullable String load(String key) {
            if (key.startsWith("bad")) {
                throw new CacheLoaderException("as agreed");
            }
            return key.startsWith("there") ? "loaded" : null;
        }

        @Override
        public Map<String, String> loadAll(Iterable<? extends String> keys) {
            throw new UnsupportedOperationException();
        }
    }

    private static CacheManager manager(String name, List<LocalServer> servers, String every) {
        return KeyslotManagers.openPatiently(
                name, servers.stream().map(LocalServer::uri).toList(), Map.of("keyslot.trafficReports", every));
    }

    private static PartitionedConfiguration<String, String> configuration() {
        return new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
    }

    private static Map<?, ?> asked(List<LocalServer> servers, String... command) {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of(
                "-o",
                "json",
                "--partitions="
                        + String.join(
                                ",", servers.stream().map(LocalServer::uri).toList())));
        CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
        return (Map<?, ?>) known(JsonReader.read(run.out().strip().getBytes(StandardCharsets.UTF_8)));
    }

    private static Object known(@Nullable Object json) {
        return Objects.requireNonNull(json);
    }

    private static long number(Map<?, ?> row, String name) {
        return (Long) known(row.get(name));
    }

    /** Amounts are of a minute; those of one process have the same proportions as what it did within one report. */
    @Test
    void whatTwoProcessesFind_isTold() {
        try (LocalServers started = LocalServers.create()) {
            List<LocalServer> servers = started.start(2);
            try (CacheManager one = manager("one", servers, "15s");
                    CacheManager two = manager("two", servers, "15s")) {
                PartitionedConfiguration<String, String> loading =
                        configuration().setNear(NearOptions.ofEntries(1_000).withStaleness(Duration.ofSeconds(5)));
                loading.setReadThrough(true);
                loading.setCacheLoaderFactory(FactoryBuilder.factoryOf(SomeValues.class));
                Cache<String, String> plain = two.createCache("order", configuration());
                readAndLoad(one.createCache("customer", loading));
                removeAndMiss(plain);
                assertThat(one.createCache("shared", configuration()).get("k")).isNull();
                assertThat(two.createCache("shared", configuration()).get("k")).isNull();
                await().atMost(LONGEST).until(() -> clientsOf(servers, "shared") == 2);

                customerIsTold(callsOf(servers, "customer"));
                Map<?, ?> order = callsOf(servers, "order");
                assertThat(order.get("nearEntries")).isNull();
                assertProportion(order, "hitsPerMinute", ENTRIES, "missesPerMinute", REMOVED + NEVER_THERE);
                Map<?, ?> causes = (Map<?, ?>) known(order.get("causesPerMinute"));
                assertProportion(causes, "removed", REMOVED, "never loaded", NEVER_THERE);
                assertThat(causes).hasSize(2);
                List<?> caches =
                        (List<?>) known(asked(servers, "top", "--interval", "1").get("caches"));
                assertThat(caches.size()).isEqualTo(3);
                assertThat(caches.containsAll(List.of(order, callsOf(servers, "customer"))))
                        .isTrue();
            }
        }
    }

    private static void customerIsTold(Map<?, ?> told) {
        assertProportion(told, "hitsPerMinute", READS * ENTRIES, "loadsPerMinute", LOADED + 2);
        assertProportion(told, "loadsPerMinute", LOADED + 2, "failedLoadsPerMinute", 1);
        assertProportion(told, "nearHitsPerMinute", (READS - 1) * ENTRIES, "hitsPerMinute", READS * ENTRIES);
        assertThat(number(told, "nearEntries")).isBetween((long) ENTRIES, (long) ENTRIES + LOADED);
        assertThat(number(told, "nearStaleMillis")).isEqualTo(5_000);
        assertThat(number(told, "clients")).isEqualTo(1);
    }

    private static void assertProportion(Map<?, ?> told, String some, int ofSome, String others, int ofOthers) {
        double each = (double) number(told, some) / ofSome;
        assertThat(each).as("%s of %s", some, told).isPositive();
        assertThat((double) number(told, others)).as("%s of %s", others, told).isCloseTo(each * ofOthers, within(1.0));
    }

    private static Map<?, ?> callsOf(List<LocalServer> servers, String cache) {
        return asked(servers, "stats", cache).get("calls") instanceof Map<?, ?> calls ? calls : Map.of("clients", 0L);
    }

    private static long clientsOf(List<LocalServer> servers, String cache) {
        return number(callsOf(servers, cache), "clients");
    }

    private static void readAndLoad(Cache<String, String> near) {
        for (int i = 0; i < ENTRIES; i++) {
            near.put("k" + i, "1");
        }
        for (int round = 0; round < READS; round++) {
            for (int i = 0; i < ENTRIES; i++) {
                assertThat(near.get("k" + i)).isEqualTo("1");
            }
        }
        for (int i = 0; i < LOADED; i++) {
            assertThat(near.get("there" + i)).isEqualTo("loaded");
        }
        assertThat(near.get("nothing")).isNull();
        assertThatThrownBy(() -> near.get("bad")).isInstanceOf(CacheLoaderException.class);
    }

    private static void removeAndMiss(Cache<String, String> plain) {
        for (int i = 0; i < ENTRIES; i++) {
            plain.put("k" + i, "1");
            assertThat(plain.get("k" + i)).isEqualTo("1");
        }
        for (int i = 0; i < REMOVED; i++) {
            assertThat(plain.remove("k" + i)).isTrue();
            assertThat(plain.get("k" + i)).isNull();
        }
        for (int i = 0; i < NEVER_THERE; i++) {
            assertThat(plain.get("never" + i)).isNull();
        }
    }

    /** The partition that is away cannot be told what it is owed; another one is. */
    @Test
    void deletionsThatAreOwed_areToldByAnotherPartition() {
        try (LocalServers started = LocalServers.create()) {
            List<LocalServer> servers = started.start(2);
            try (CacheManager one = manager("owing", servers, "1s")) {
                Cache<String, String> cache = one.createCache(
                        "customer",
                        configuration().setMissingPartitionWritePolicy(MissingPartitionWritePolicy.JOURNAL));
                write(cache);
                servers.get(1).kill();
                write(cache);
                long lost = IntStream.range(0, ENTRIES)
                        .filter(i -> HashSlot.of("customer:k" + i) >= HashSlot.COUNT / 2)
                        .count();
                assertThat(lost).isBetween(1L, ENTRIES - 1L);
                await().atMost(LONGEST).until(() -> owed(servers) == lost);
            }
        }
    }

    private static void write(Cache<String, String> cache) {
        for (int i = 0; i < ENTRIES; i++) {
            cache.put("k" + i, "1");
        }
    }

    private static long owed(List<LocalServer> servers) {
        List<?> partitions =
                (List<?>) known(asked(servers, "top", "--interval", "1").get("partitions"));
        Object owed = ((Map<?, ?>) known(partitions.get(1))).get("owedDeletions");
        return owed == null ? 0 : (Long) owed;
    }
}
