// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.LoadedValue;
import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.CallInterruptedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the options for loading change. */
public abstract class LoadingOptionConformance extends JCacheConformance {
    private static final LoadingOptions DEFAULTS = LoadingOptions.defaults();
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(60);

    private final GatedLoader gated = new GatedLoader();

    @AfterEach
    void endLoads() {
        gated.end();
    }

    @SuppressWarnings("unchecked")
    private PartitionedCache<String, String> cache(
            LoadingOptions options, Duration lifetime, CacheLoader<String, String> loader) {
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setReadThrough(true)
                .setLoading(options);
        configuration.setCacheLoaderFactory(() -> loader);
        configuration.setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(
                new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, lifetime.toMillis())));
        return create(configuration).unwrap(PartitionedCache.class);
    }

    /** Returns a cache with an entry whose time is over. */
    private PartitionedCache<String, String> stale(LoadingOptions options) {
        PartitionedCache<String, String> cache = cache(options, SHORT, gated);
        cache.put("k", "old");
        await("the end of the entry's time").until(() -> !cache.containsKey("k"));
        return cache;
    }

    private static void loadAll(Cache<String, String> cache, Set<String> keys) throws Exception {
        CompletionListenerFuture done = new CompletionListenerFuture();
        cache.loadAll(keys, true, done);
        done.get(30, TimeUnit.SECONDS);
    }

    private static Duration timeToLive(PartitionedCache<String, String> cache, String key) {
        return Objects.requireNonNull(cache.explain(key).timeToLive());
    }

    @Test
    void thatThereIsNoValue_isNotRemembered() {
        MapLoader<String, String> loader = MapLoader.answering(key -> null);
        Cache<String, String> cache = cache(DEFAULTS, LONG, loader);
        cache.get("k");
        cache.get("k");
        assertThat(loader.takeAsked()).containsExactly("k", "k");
    }

    @Test
    void thatThereIsNoValue_isRememberedIfWanted() {
        MapLoader<String, String> loader = MapLoader.answering(key -> null);
        Cache<String, String> cache = cache(DEFAULTS.withNegativeTimeToLive(LONG), LONG, loader);
        assertThat(cache.get("k")).isNull();
        assertThat(cache.getAll(Set.of("k", "l"))).isEmpty();
        assertThat(cache.get("k")).isNull();
        assertThat(cache.get("l")).isNull();
        assertThat(loader.takeAsked()).containsExactly("k", "l");
    }

    @Test
    void rememberedAbsence_isNoEntry() {
        RecordingListener<String, String> listener = new RecordingListener<>();
        Cache<String, String> cache =
                cache(DEFAULTS.withNegativeTimeToLive(LONG), LONG, MapLoader.answering(key -> null));
        cache.registerCacheEntryListener(listener.synchronous());
        cache.getAll(Set.of("put", "putIfAbsent", "getAndPut", "remove", "replace", "invoke"));

        assertThat(cache).isEmpty();
        assertThat(cache.containsKey("put")).isFalse();
        assertThat(cache.remove("remove")).isFalse();
        assertThat(cache.getAndRemove("remove")).isNull();
        assertThat(cache.replace("replace", "v")).isFalse();
        assertThat(cache.<Boolean>invoke("invoke", (entry, arguments) -> entry.exists()))
                .isFalse();
        assertThat(listener.takeEvents()).isEmpty();
        cache.put("put", "v");
        assertThat(cache.putIfAbsent("putIfAbsent", "v")).isTrue();
        assertThat(cache.getAndPut("getAndPut", "v")).isNull();
        assertThat(listener.takeEvents())
                .containsExactly("CREATED put=v", "CREATED putIfAbsent=v", "CREATED getAndPut=v");
        assertThat(cache.get("put")).isEqualTo("v");
        assertThat(cache).hasSize(3);
    }

    @Test
    void rememberedAbsence_isLoadedAgainIfThatIsAskedFor() throws Exception {
        Cache<String, String> cache = cache(DEFAULTS.withNegativeTimeToLive(LONG), LONG, gated);
        Background<String> read = Background.run(() -> cache.get("k"));
        gated.nextCall().answer(null);
        assertThat(read.value()).isNull();
        Background<Integer> load = Background.run(() -> {
            loadAll(cache, Set.of("k"));
            return 0;
        });
        gated.nextCall().answer("v");
        load.value();
        assertThat(cache.get("k")).isEqualTo("v");
    }

    @Test
    void loadedValue_isUnwrappedAndItsTimeToLiveUsed() throws Exception {
        RecordingListener<String, String> listener = new RecordingListener<>();
        PartitionedCache<String, String> cache = cache(
                DEFAULTS.withJitter(0),
                LONG,
                LoadedValue.loader(key -> new LoadedValue<>("v " + key, Duration.ofDays(2))));
        cache.registerCacheEntryListener(listener.synchronous());

        assertThat(cache.get("get")).isEqualTo("v get");
        assertThat(cache.getAll(Set.of("getAll"))).isEqualTo(Map.of("getAll", "v getAll"));
        assertThat(cache.<String>invoke("invoke", (entry, arguments) -> entry.getValue()))
                .isEqualTo("v invoke");
        loadAll(cache, Set.of("loadAll"));
        assertThat(cache.get("loadAll")).isEqualTo("v loadAll");
        assertThat(listener.takeEvents())
                .containsExactly(
                        "CREATED get=v get",
                        "CREATED getAll=v getAll",
                        "CREATED invoke=v invoke",
                        "CREATED loadAll=v loadAll");
        for (String key : List.of("get", "getAll", "loadAll")) {
            assertThat(timeToLive(cache, key)).as(key).isBetween(Duration.ofHours(47), Duration.ofDays(2));
        }
    }

    @Test
    void jitter_shortensTheLifetimeOfLoadedEntriesOnly() {
        PartitionedCache<String, String> cache = cache(DEFAULTS, Duration.ofHours(10), MapLoader.answering(key -> "v"));
        Set<String> loaded = IntStream.range(0, 50).mapToObj(i -> "loaded" + i).collect(Collectors.toSet());
        Set<String> put = IntStream.range(0, 50).mapToObj(i -> "put" + i).collect(Collectors.toSet());
        cache.getAll(loaded);
        put.forEach(key -> cache.put(key, "v"));

        assertThat(loaded)
                .allSatisfy(key -> assertThat(timeToLive(cache, key))
                        .isBetween(Duration.ofHours(9).minusMinutes(1), Duration.ofHours(10)));
        assertThat(loaded).anySatisfy(key -> assertThat(timeToLive(cache, key)).isLessThan(Duration.ofMinutes(590)));
        assertThat(put).allSatisfy(key -> assertThat(timeToLive(cache, key)).isGreaterThan(Duration.ofMinutes(599)));
    }

    @Test
    void staleWhileRevalidate_servesAtOnce_andLoadsOnceInTheBackground() {
        Cache<String, String> cache = stale(DEFAULTS.withStaleWhileRevalidate(LONG));
        assertThat(Threads.withinTenSeconds(() -> cache.get("k"))).isEqualTo("old");
        GatedLoader.Call call = gated.nextCall();
        assertThat(cache.get("k")).isEqualTo("old");
        assertThat(cache.getAll(Set.of("k"))).isEqualTo(Map.of("k", "old"));
        assertThat(gated.isQuiet()).isTrue();
        call.answer("new");
        await("the refreshed value").until(() -> "new".equals(cache.get("k")));
    }

    @Test
    void staleEntry_isNoneForOtherOperations() {
        PartitionedCache<String, String> cache =
                cache(DEFAULTS.withStaleWhileRevalidate(LONG), SHORT, MapLoader.answering(key -> "loaded"));
        RecordingListener<String, String> listener = new RecordingListener<>();
        List<String> keys = List.of("putIfAbsent", "getAndPut", "replace", "remove", "getAndReplace", "invoke");
        keys.forEach(key -> cache.put(key, "old"));
        await("the end of the entries' time").until(() -> keys.stream().noneMatch(cache::containsKey));
        cache.registerCacheEntryListener(listener.synchronous());

        assertThat(cache).isEmpty();
        assertThat(cache.replace("replace", "v")).isFalse();
        assertThat(cache.getAndReplace("getAndReplace", "v")).isNull();
        assertThat(cache.remove("remove")).isFalse();
        assertThat(cache.<Boolean>invoke("invoke", (entry, arguments) -> entry.exists()))
                .isFalse();
        assertThat(cache.putIfAbsent("putIfAbsent", "v")).isTrue();
        assertThat(cache.getAndPut("getAndPut", "v")).isNull();
        assertThat(listener.takeEvents()).containsExactly("CREATED putIfAbsent=v", "CREATED getAndPut=v");
    }

    @Test
    void afterTheWindow_aReadWaitsForTheLoad_alsoWhileAnotherOneHasClaimedIt() {
        Cache<String, String> cache =
                stale(DEFAULTS.withStaleWhileRevalidate(Duration.ofMillis(1)).withStaleIfError(LONG));
        Background<String> first = Background.run(() -> cache.get("k"));
        GatedLoader.Call call = gated.nextCall();
        Background<String> second = Background.run(() -> cache.get("k")).waiting();
        call.answer("new");

        assertThat(first.value()).isEqualTo("new");
        assertThat(second.value()).isEqualTo("new");
    }

    @Test
    void staleIfError_servesOnlyIfTheLoaderFails() {
        Cache<String, String> cache = stale(DEFAULTS.withStaleIfError(LONG));
        Background<String> failed = Background.run(() -> cache.get("k"));
        gated.nextCall().fail(new IllegalStateException("of the loader"));
        assertThat(failed.value()).isEqualTo("old");
        Background<Map<String, String>> all = Background.run(() -> cache.getAll(Set.of("k")));
        gated.nextCall().fail(new IllegalStateException("of the loader"));
        assertThat(all.value()).isEqualTo(Map.of("k", "old"));
        Background<String> loaded = Background.run(() -> cache.get("k"));
        gated.nextCall().answer("new");
        assertThat(loaded.value()).isEqualTo("new");
    }

    @Test
    void staleIfError_hidesNoFailureOfLoadAll() {
        Cache<String, String> cache = stale(DEFAULTS.withStaleIfError(LONG));
        CompletionListenerFuture done = new CompletionListenerFuture();
        cache.loadAll(Set.of("k"), true, done);
        gated.nextCall().fail(new IllegalStateException("of the loader"));
        assertThatThrownBy(() -> done.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(CacheLoaderException.class);
    }

    @Test
    void staleIfError_endsWithItsWindow() {
        Cache<String, String> cache =
                stale(DEFAULTS.withStaleIfError(Duration.ofMillis(1)).withStaleWhileRevalidate(Duration.ofMillis(2)));
        Background<String> read = Background.run(() -> cache.get("k"));
        gated.nextCall().fail(new IllegalStateException("of the loader"));
        assertThat(read.failure()).isInstanceOf(CacheLoaderException.class);
    }

    /** As many loaders do that are interrupted. */
    private static CacheLoader<String, String> losingTheMark(CacheLoader<String, String> loader) {
        return MapLoader.answering(key -> {
            try {
                return loader.load(key);
            } catch (IllegalStateException e) {
                boolean unused = Thread.interrupted();
                throw e;
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"false, true", "false, false", "true, true", "true, false"})
    void threadThatIsInterruptedWhileItLoads_isToldSo_andCostsTheOthersOneMoreLoad(boolean timed, boolean keepsMark) {
        Cache<String, String> cache =
                cache(timed ? DEFAULTS.withTimeout(LONG) : DEFAULTS, LONG, keepsMark ? gated : losingTheMark(gated));
        Map<String, Callable<String>> reads = Map.of(
                "get", () -> cache.get("get"),
                "getAll", () -> cache.getAll(Set.of("getAll")).get("getAll"),
                "invoke", () -> cache.invoke("invoke", (entry, arguments) -> entry.getValue()));
        reads.forEach((name, read) -> {
            AtomicBoolean mark = new AtomicBoolean();
            Background<String> first = Background.run(() -> {
                try {
                    return read.call();
                } finally {
                    mark.set(Thread.currentThread().isInterrupted());
                }
            });
            assertThat(gated.nextCall().keys()).containsExactly(name);
            List<Background<String>> others = IntStream.range(0, 5)
                    .mapToObj(i -> Background.run(read).waiting())
                    .toList();

            first.interrupt();

            assertThat(first.failure()).as(name).isInstanceOf(CallInterruptedException.class);
            assertThat(mark).as(name).isTrue();
            gated.nextCall().answer("v");
            assertThat(others)
                    .as(name)
                    .allSatisfy(other -> assertThat(other.value()).isEqualTo("v"));
            assertThat(gated.isQuiet()).as(name).isTrue();
        });
    }

    @Test
    void timeout_interruptsTheLoader_andSaysWhatToDo() {
        CountDownLatch interrupted = new CountDownLatch(1);
        Cache<String, String> cache = cache(DEFAULTS.withTimeout(SHORT), LONG, MapLoader.answering(key -> {
            try {
                assertThat(new CountDownLatch(1).await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            return "late";
        }));
        assertThatThrownBy(() -> cache.get("k"))
                .isInstanceOf(CacheLoaderException.class)
                .hasMessage(
                        "Cache conformance: the loader gave no answer within 60 ms; make it faster, or raise loading.timeout");
        Threads.await(interrupted);
        assertThat(cache.containsKey("k")).isFalse();
    }
}
