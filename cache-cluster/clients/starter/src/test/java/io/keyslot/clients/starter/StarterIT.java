// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.clients.starter.Library.Books;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.spring.FailSafeCacheManager;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.context.ConfigurableApplicationContext;

/** An application with nothing but the starter and the addresses of three servers. */
@SuppressWarnings("NullAway.Init") // set before all tests
class StarterIT {
    private static TestServers servers;
    private static ConfigurableApplicationContext application;

    private Books books;
    private int callsBefore;

    @BeforeAll
    static void startApplication() {
        servers = TestServers.start(3);
        application = Library.start(
                servers.uris(),
                "--keyslot.caches.typed.key-type=java.lang.Long",
                "--keyslot.caches.typed.value-type=java.lang.String",
                "--keyslot.caches.typed.ttl=1h",
                "--keyslot.caches.timed.ttl=1h",
                "--management.metrics.use-global-registry=false",
                "--keyslot.deadlines.call=10s",
                "--keyslot.deadlines.command=5s");
    }

    @AfterAll
    static void end() throws Exception {
        application.close();
        servers.close();
    }

    @BeforeEach
    void emptyCaches() {
        books = application.getBean(Books.class);
        application
                .getBean(CacheManager.class)
                .getCacheNames()
                .forEach(name -> cache(name).clear());
        callsBefore = books.calls();
    }

    private static Cache cache(String name) {
        return Objects.requireNonNull(application.getBean(CacheManager.class).getCache(name));
    }

    private int calls() {
        return books.calls() - callsBefore;
    }

    @Test
    void application_hasOneManagerOfEachKind() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("expected.boot"));
        assertThat(application.getBean(CacheManager.class)).isInstanceOf(FailSafeCacheManager.class);
        assertThat(application.getBean(javax.cache.CacheManager.class))
                .isSameAs(application.getBean(PartitionedCacheManager.class));
        assertThat(application.getBean(PartitionedCacheManager.class).partitions())
                .hasSize(3);
    }

    @Test
    void values_areCached_andEvicted() {
        assertThat(books.find(1)).isEqualTo(books.find(1));
        assertThat(calls()).isEqualTo(1);

        books.reprint(1);

        assertThat(books.find(1)).isEqualTo("1 in edition 1");
        books.evictAll();
        assertThat(books.find(1)).isEqualTo("1 in edition 2");
        assertThat(books.findNone("x")).isNull();
        assertThat(books.findNone("x")).isNull();
        assertThat(calls()).isEqualTo(4);
    }

    @Test
    void futuresAndMonos_areCached() throws Exception {
        String first = books.findLater(2).get(10, TimeUnit.SECONDS);

        assertThat(books.findLater(2).get(10, TimeUnit.SECONDS)).isEqualTo(first);
        assertThat(books.findMono(2).block(Duration.ofSeconds(10))).isEqualTo(first);
        assertThat(books.find(2)).isEqualTo(first);
        assertThat(books.findLaterOnce(2).get(10, TimeUnit.SECONDS)).isEqualTo(first);
        assertThat(books.findLaterOnce(2).get(10, TimeUnit.SECONDS)).isEqualTo(first);
        assertThat(calls()).isEqualTo(2);
    }

    @Test
    void keysOfSeveralArguments_areKeysOfATypedCacheToo() {
        assertThat(books.typed(3)).isEqualTo(books.typed(3));
        assertThat(books.typed(3, "de")).isEqualTo(books.typed(3, "de")).endsWith("de");
        assertThat(calls()).isEqualTo(2);

        assertThat(books.typedNone(4)).isNull();
        assertThat(books.typedNone(4)).isNull();
        assertThat(calls()).as("nothing is no value of the type").isEqualTo(4);
    }

    @Test
    void manyKeys_areReadAndStoredTogether_asTheEntriesOfTheMethodWithOne() {
        List<Long> ids = LongStream.range(0, 50).boxed().toList();
        String first = books.find(0);

        Map<Long, String> found = books.findAll(ids);

        assertThat(calls()).isEqualTo(ids.size());
        assertThat(found).hasSameSizeAs(ids).containsEntry(0L, first);
        assertThat(books.findAll(ids)).isEqualTo(found);
        assertThat(books.find(49)).isEqualTo(found.get(49L));
        assertThat(calls()).as("all are cached").isEqualTo(ids.size());

        books.reprintAll(ids);

        assertThat(books.findAll(ids)).doesNotContainValue(first).hasSameSizeAs(ids);
        assertThat(calls()).as("none is cached").isEqualTo(2 * ids.size());
    }

    @Test
    void whatTheMethodThrows_isThrown() {
        assertThatThrownBy(() -> books.failing(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> books.failingOnce(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("out of print 1");
    }

    @Test
    void whatCannotBeStored_failsNobody() {
        cache("books").put("a", "small");
        cache("books").put("a", new Thread("not a value"));

        assertThat(cache("books").get("a")).as("what was there is older").isNull();
        assertThat(cache("typed").get("no number")).isNull();
        assertThat(cache("typed").get("no number", () -> "found")).isEqualTo("found");
        assertThat(application
                        .getBean(MeterRegistry.class)
                        .get("keyslot.failures.forgiven")
                        .counters())
                .isNotEmpty();
    }

    @Test
    void synchronisedMethod_isCalledOnceInTwoApplications() throws Exception {
        try (ConfigurableApplicationContext other = Library.start(
                servers.uris(), "--keyslot.deadlines.call=10s", "--keyslot.deadlines.command=5s")) {
            Books others = other.getBean(Books.class);
            int before = others.calls();

            CompletableFuture<?>[] found = Stream.of(books, others, books, others)
                    .map(shop -> CompletableFuture.runAsync(() -> slowly(shop)))
                    .toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(found).get(1, TimeUnit.MINUTES);

            assertThat(calls() + others.calls() - before).isEqualTo(1);
        }
    }

    private static void slowly(Books shop) {
        try {
            assertThat(shop.findSlowly(5)).isEqualTo("5 in edition 0");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void meters_existOnce_andInTheRegistryOfTheContext() throws Exception {
        books.find(6);
        books.find(6);
        books.reprint(6);

        String scrape = new Page(application).get("/actuator/prometheus").body();

        assertThat(scrape.lines()
                        .filter(line -> line.startsWith("cache_gets_total{"))
                        .filter(line -> line.contains("cache=\"books\"") && line.contains("result=\"hit\"")))
                .hasSize(1);
        assertThat(scrape.lines().filter(line -> line.startsWith("cache_removals{") && line.contains("\"books\"")))
                .hasSize(1);
        assertThat(scrape).contains("keyslot_command_seconds_count", "keyslot_partition_state");
        MeterRegistry registry = application.getBean(MeterRegistry.class);
        assertThat(registry.getMeters().stream()
                        .map(meter -> meter.getId().getName())
                        .filter(name -> name.startsWith("cache.") || name.startsWith("keyslot."))
                        .distinct()
                        .map(name -> name.replace('.', '_'))
                        .filter(name -> !scrape.contains("# TYPE " + name)))
                .as("dropped by Prometheus")
                .isEmpty();
        assertThat(Metrics.globalRegistry.getMeters()).isEmpty();
    }

    /** Each series is stored and paid for, so a cached method has few, histogram buckets included. */
    @Test
    void cachedMethod_hasFewSeries() throws Exception {
        for (int call = 0; call < 5; call++) {
            books.findOnce(9);
        }

        String scrape = new Page(application).get("/actuator/prometheus").body();

        assertThat(scrape.lines().filter(line -> line.contains("\"bestsellers\"")))
                .hasSizeBetween(5, 40);
    }

    @Test
    void calls_areObserved_inTheRegistryOfTheContext() throws Exception {
        books.findLater(8).get(10, TimeUnit.SECONDS);
        books.findLater(8).get(10, TimeUnit.SECONDS);

        String scrape = new Page(application).get("/actuator/prometheus").body();

        assertThat(scrape.lines()
                        .filter(line -> line.startsWith("keyslot_call_seconds_count{"))
                        .filter(line -> line.contains("cache=\"books\"") && line.contains("outcome=\"hit\"")))
                .isNotEmpty();
        assertThat(scrape).doesNotContain("keyslot_call_active", "db_client_operation_duration");
    }

    @Test
    void pages_showPartitionsAndCaches() throws Exception {
        books.find(7);
        Page page = new Page(application);

        assertThat(page.get("/actuator/health").body()).contains("\"keyslot\":{", "\"p1\":{", "\"p2\":{", "\"p3\":{");
        assertThat(page.get("/actuator/health/keyslot/p3").body()).contains("UP", "healthy");
        assertThat(page.get("/actuator/health/liveness").body()).doesNotContain("keyslot");
        assertThat(page.get("/actuator/keyslot").body())
                .contains("\"slotMapVersion\":", "\"p1\":{\"address\":\"redis://127.0.0.1:", "\"name\":\"books\"")
                .contains("\"slotsOnTheirWay\":[]", "\"near\":{\"on\":false}", "\"groupsTooLarge\":{}");
        assertThat(page.get("/actuator/caches").body()).contains("\"books\":{");
        assertThat(page.get("/actuator/keyslot/p2").body()).contains("\"state\":\"healthy\"");
        assertThat(page.get("/actuator/keyslot/p9").statusCode()).isEqualTo(404);
    }

    @Test
    void contextThatEnds_closesItsManager_andNoOther() {
        ConfigurableApplicationContext other = Library.start(List.of());
        PartitionedCacheManager manager = other.getBean(PartitionedCacheManager.class);
        other.close();

        assertThat(manager.isClosed()).isTrue();
        assertThat(application.getBean(PartitionedCacheManager.class).isClosed())
                .isFalse();
    }

    @Test
    void lifetime_isThatOfTheValue() {
        cache("brief").put("put", "short");
        cache("brief").put("kept", "long");
        assertThat(cache("brief").get("loaded", () -> "short")).isEqualTo("short");

        await().until(() -> !isAny("put", "loaded"));
        assertThat(isAny("kept")).isTrue();
    }

    /** What a method loads may live up to a tenth shorter. */
    @Test
    void lifetimeOfTheMethod_isThatOfWhatItStores() throws Exception {
        books.findForTenMinutes(1);
        books.findOnceForTenMinutes(2);
        books.findLaterForTenMinutes(3).get(10, TimeUnit.SECONDS);
        books.findLaterOnceForTenMinutes(4).get(10, TimeUnit.SECONDS);
        books.print(5);
        books.findNoneForTenMinutes(6);
        books.findForTheTimeOfTheCache(7);
        books.findRare(8);

        for (int id = 1; id <= 6; id++) {
            assertThat(timeToLive(id)).as("of %s", id).isBetween(Duration.ofMinutes(8), Duration.ofMinutes(10));
        }
        assertThat(timeToLive(7)).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
        assertThat(timeToLive(8))
                .as("who sees the value knows better")
                .isBetween(Duration.ofHours(4), Duration.ofHours(5));

        books.findForTenMinutes(7);
        assertThat(timeToLive(7)).as("a hit stores nothing").isGreaterThan(Duration.ofMinutes(10));
        assertThat(books.find(1)).isEqualTo(books.findForTenMinutes(1));
    }

    /** Asks the servers, which know best. */
    private static Duration timeToLive(int id) {
        return servers.uris().stream()
                .map(uri -> timeToLive(uri, "timed:{timed:%d}Long".formatted(id)))
                .max(Duration::compareTo)
                .orElseThrow();
    }

    private static Duration timeToLive(String uri, String key) {
        RedisClient client = RedisClient.create(uri);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return Duration.ofMillis(connection.sync().pttl(key));
        } finally {
            client.shutdown(0, 0, TimeUnit.SECONDS);
        }
    }

    private static boolean isAny(String... keys) {
        return Stream.of(keys).anyMatch(key -> cache("brief").get(key) != null);
    }
}
