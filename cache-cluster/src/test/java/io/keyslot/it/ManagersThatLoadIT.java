// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.jcache.MapLoader;
import io.keyslot.cluster.local.TestServers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two managers on the same servers that miss the same entries. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class ManagersThatLoadIT {
    /** Five such reads take longer than a lease. */
    private static final Duration PATIENCE = Duration.ofMillis(1_200);

    /** A lease of 5 s, and a machine that is slow. */
    private static final Duration AFTER_A_LEASE = Duration.ofSeconds(20);

    private final HeldLoader loaderOfFirst = new HeldLoader();
    private final HeldLoader loaderOfSecond = new HeldLoader();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private TestServers servers;
    private CacheManager first;
    private CacheManager second;
    private Cache<String, String> ofFirst;
    private Cache<String, String> ofSecond;

    @BeforeEach
    void open() {
        servers = TestServers.start(3);
        first = KeyslotManagers.open("first", servers.uris(), KeyslotManagers.LONG_DEADLINES);
        second = KeyslotManagers.open("second", servers.uris(), KeyslotManagers.LONG_DEADLINES);
        ofFirst = create(first, loaderOfFirst);
        ofSecond = create(second, loaderOfSecond);
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        first.close();
        second.close();
        servers.close();
    }

    private static Cache<String, String> create(CacheManager manager, CacheLoader<String, String> loader) {
        return manager.createCache(
                "loaded",
                new PartitionedConfiguration<String, String>()
                        .setTypes(String.class, String.class)
                        .setLoading(LoadingOptions.defaults().withPatience(PATIENCE))
                        .setReadThrough(true)
                        .setCacheLoaderFactory(() -> loader));
    }

    private Future<String> read(Cache<String, String> cache) {
        return threads.submit(() -> cache.get("k"));
    }

    private static String value(Future<String> read) throws Exception {
        return read.get(30, TimeUnit.SECONDS);
    }

    @Test
    void oneManagerLoads_andTheOtherGetsItsValue() throws Exception {
        Future<String> read = read(ofFirst);
        CompletableFuture<String> call = loaderOfFirst.nextCall();
        Future<String> other = read(ofSecond);
        call.complete("of first");

        assertThat(value(read)).isEqualTo("of first");
        assertThat(value(other)).isEqualTo("of first");
        assertThat(loaderOfSecond.isQuiet()).isTrue();
    }

    @Test
    void loaderThatTakesLongerThanALease_keepsIt() throws Exception {
        Future<String> read = read(ofFirst);
        CompletableFuture<String> call = loaderOfFirst.nextCall();
        // The other one waits in vain each time, and stores nothing: the lease is there.
        for (int i = 0; i < 5; i++) {
            Future<String> impatient = read(ofSecond);
            loaderOfSecond.nextCall().complete("not stored");
            assertThat(value(impatient)).isEqualTo("not stored");
        }
        call.complete("of first");

        assertThat(value(read)).isEqualTo("of first");
        assertThat(ofSecond.get("k")).isEqualTo("of first");
    }

    @Test
    void processThatIsKilledDuringItsLoad_isReplaced() throws Exception {
        try (OtherJvm other =
                OtherJvm.start(LoadingForEver.class, servers.uris().toArray(String[]::new))) {
            other.awaitLine("loading");
        }
        loaderOfSecond.answerAll("of second");

        assertThat(ofSecond.get("k")).isEqualTo("of second");
        assertStoredAfterALease();
    }

    private void assertStoredAfterALease() {
        await("the end of the lease").atMost(AFTER_A_LEASE).until(() -> {
            ofSecond.get("k");
            return ofSecond.containsKey("k");
        });
    }

    @Test
    void entryThatTheOtherRemoves_isNotResurrectedByALoadThatBeganBefore() throws Exception {
        Future<String> read = read(ofFirst);
        CompletableFuture<String> call = loaderOfFirst.nextCall();
        ofSecond.put("k", "v");
        ofSecond.remove("k");
        call.complete("older");

        assertThat(value(read)).isEqualTo("older");
        assertThat(ofFirst.containsKey("k")).isFalse();
        loaderOfSecond.answerAll("newer");
        assertThat(ofSecond.get("k")).isEqualTo("newer");
        assertThat(ofFirst.get("k")).isEqualTo("newer");
    }

    /** Who has come second waits as long, whichever method either has called, and whether there is no entry or a stale one. */
    @ParameterizedTest
    @MethodSource("pairsOfReads")
    void oneManagerLoads_whicheverMethodIsCalled(boolean isStale, Read one, Read other) throws Exception {
        ofFirst = createWithStale(first, loaderOfFirst);
        ofSecond = createWithStale(second, loaderOfSecond);
        if (isStale) {
            ofFirst.put("k", "old");
            await("the end of the entry's time").until(() -> !ofFirst.containsKey("k"));
        }
        Future<String> read = threads.submit(() -> one.of(ofFirst));
        CompletableFuture<String> call = loaderOfFirst.nextCall();
        long start = System.nanoTime();
        Future<String> impatient = threads.submit(() -> other.of(ofSecond));
        loaderOfSecond.nextCall().complete("not stored");

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(PATIENCE.toNanos());
        assertThat(value(impatient)).isEqualTo("not stored");
        call.complete("of first");
        assertThat(value(read)).isEqualTo("of first");
    }

    private static Stream<Arguments> pairsOfReads() {
        return Stream.of(false, true)
                .flatMap(isStale -> Stream.of(Read.values())
                        .flatMap(one -> Stream.of(Read.values()).map(other -> Arguments.of(isStale, one, other))));
    }

    private static Cache<String, String> createWithStale(CacheManager manager, CacheLoader<String, String> loader) {
        return manager.createCache(
                "stale",
                new PartitionedConfiguration<String, String>()
                        .setTypes(String.class, String.class)
                        .setLoading(
                                LoadingOptions.defaults().withPatience(PATIENCE).withStaleIfError(Duration.ofHours(1)))
                        .setReadThrough(true)
                        .setCacheLoaderFactory(() -> loader)
                        .setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(
                                new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, 60))));
    }

    enum Read {
        GET {
            @Override
            @Nullable
            String of(Cache<String, String> cache) {
                return cache.get("k");
            }
        },
        GET_ALL {
            @Override
            @Nullable
            String of(Cache<String, String> cache) {
                return cache.getAll(Set.of("k")).get("k");
            }
        };

        abstract @Nullable String of(Cache<String, String> cache);
    }

    /** A loader whose calls wait until the test answers them. */
    private static final class HeldLoader implements CacheLoader<String, String> {
        private final BlockingQueue<CompletableFuture<String>> calls = new LinkedBlockingQueue<>();
        private final CompletableFuture<String> ofAll = new CompletableFuture<>();

        CompletableFuture<String> nextCall() throws InterruptedException {
            CompletableFuture<String> call = calls.poll(30, TimeUnit.SECONDS);
            assertThat(call).as("a call of the loader").isNotNull();
            return call;
        }

        boolean isQuiet() {
            return calls.isEmpty();
        }

        /** Lets each call return this from now on. */
        void answerAll(String value) {
            ofAll.complete(value);
        }

        @Override
        public String load(String key) {
            CompletableFuture<String> call = new CompletableFuture<>();
            calls.add(call);
            return (String) CompletableFuture.anyOf(call, ofAll)
                    .orTimeout(60, TimeUnit.SECONDS)
                    .join();
        }

        @Override
        public Map<String, String> loadAll(Iterable<? extends String> keys) {
            Map<String, String> loaded = new HashMap<>();
            keys.forEach(key -> loaded.put(key, load(key)));
            return loaded;
        }
    }

    /** A process that begins to load the entry and does not end. */
    static final class LoadingForEver {
        private LoadingForEver() {}

        public static void main(String[] addresses) throws Exception {
            try (CacheManager manager = KeyslotManagers.openPatiently("third", List.of(addresses))) {
                create(manager, MapLoader.answering(key -> {
                            System.out.println("loading");
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return "never";
                        }))
                        .get("k");
            }
        }
    }
}
