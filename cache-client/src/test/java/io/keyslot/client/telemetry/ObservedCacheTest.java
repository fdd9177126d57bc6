// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.MissCause;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.telemetry.convention.CallContext;
import io.keyslot.client.telemetry.convention.CallConvention;
import io.keyslot.client.telemetry.convention.CallOutcome;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CompletionListenerFuture;
import javax.cache.processor.EntryProcessorException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ObservedCacheTest {
    /** Keeps what has ended, in its order. */
    private static final class Ended implements ObservationHandler<Observation.Context> {
        private final List<Observation.Context> contexts = new CopyOnWriteArrayList<>();

        @Override
        public void onStop(Observation.Context context) {
            contexts.add(context);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        CallContext only() {
            List<CallContext> calls = calls();
            assertThat(calls).hasSize(1);
            contexts.clear();
            return calls.get(0);
        }

        List<CallContext> calls() {
            return contexts.stream()
                    .filter(CallContext.class::isInstance)
                    .map(CallContext.class::cast)
                    .toList();
        }
    }

    /** Loads values of even keys; fails for 13. */
    private static final class Numbers implements CacheLoader<Long, String> {
        @Override
        public @Nullable String load(Long key) {
            if (key == 13) {
                throw new CacheLoaderException("unlucky");
            }
            return key % 2 == 0 ? "number " + key : null;
        }

        @Override
        @SuppressWarnings("NullAway") // JSR-107 has a map without those that are missing
        public Map<Long, String> loadAll(Iterable<? extends Long> keys) {
            return Stream.of(keys.iterator().next())
                    .filter(key -> load(key) != null)
                    .collect(Collectors.toMap(key -> key, this::load));
        }
    }

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final Ended ended = new Ended();
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();

    @BeforeEach
    void observe() {
        registry.observationConfig().observationHandler(ended);
    }

    @AfterEach
    void close() {
        provider.close();
    }

    private CacheManager manager() {
        Properties properties = new Properties();
        properties.put(Telemetry.OBSERVATION_REGISTRY, registry);
        return provider.getCacheManager(null, null, properties);
    }

    private static PartitionedConfiguration<Long, String> configuration() {
        return new PartitionedConfiguration<Long, String>().setTypes(Long.class, String.class);
    }

    private PartitionedCache<Long, String> cache() {
        return (PartitionedCache<Long, String>) manager().createCache("numbers", configuration());
    }

    private PartitionedCache<Long, String> loading() {
        PartitionedConfiguration<Long, String> configuration = configuration();
        configuration.setReadThrough(true).setCacheLoaderFactory(Numbers::new);
        return (PartitionedCache<Long, String>) manager().createCache("numbers", configuration);
    }

    private static String text(CallContext call) {
        return "%s %s %s".formatted(call.operation(), call.outcome(), call.causes());
    }

    private static @Nullable String value(CallContext call, String key) {
        KeyValue value = call.getLowCardinalityKeyValue(key);
        return value == null ? null : value.getValue();
    }

    @Test
    void call_isOneObservation_withItsOutcomeAndCause() {
        PartitionedCache<Long, String> cache = cache();

        assertThat(cache.get(1L)).isNull();
        CallContext miss = ended.only();
        assertThat(text(miss)).isEqualTo("get MISS [NEVER_LOADED]");
        assertThat(miss.getName()).isEqualTo("keyslot.call");
        assertThat(miss.getContextualName()).isEqualTo("get numbers");
        assertThat(miss.getLowCardinalityKeyValues())
                .containsExactlyInAnyOrder(
                        KeyValue.of("cache", "numbers"),
                        KeyValue.of("cache.manager", "keyslot"),
                        KeyValue.of("operation", "get"),
                        KeyValue.of("outcome", "miss"),
                        KeyValue.of("cause", "never_loaded"));
        assertThat(miss.getHighCardinalityKeyValues()).isEmpty();
        assertThat(miss.key()).isEqualTo(1L);

        cache.put(1L, "one");
        assertThat(text(ended.only())).isEqualTo("put DONE []");
        cache.get(1L);
        assertThat(text(ended.only())).isEqualTo("get HIT []");
        cache.getAll(Set.of(1L, 2L));
        assertThat(text(ended.only())).isEqualTo("getAll PARTIAL [NEVER_LOADED]");
        cache.remove(1L);
        ended.only();
        cache.get(1L);
        CallContext removed = ended.only();
        assertThat(text(removed)).isEqualTo("get MISS [REMOVED]");
        cache.getAll(Set.of(1L, 4L));
        assertThat(value(ended.only(), "cause")).isEqualTo("several");
        cache.containsKey(1L);
        assertThat(text(ended.only())).startsWith("containsKey MISS");
        assertThat(cache.getAndPut(1L, "uno")).isNull();
        assertThat(text(ended.only())).startsWith("getAndPut MISS");
        assertThat(cache.iterator()).hasNext();
        assertThat(text(ended.only())).isEqualTo("iterator DONE []");
        assertThat(cache.explain(1L)).isNotNull();
        assertThat(text(ended.only())).isEqualTo("explain DONE []");
    }

    @Test
    void missThatIsLoaded_isAMiss() {
        PartitionedCache<Long, String> cache = loading();

        assertThat(cache.get(2L)).isEqualTo("number 2");
        assertThat(text(ended.only())).isEqualTo("get MISS [NEVER_LOADED]");
        assertThat(cache.get(2L)).isEqualTo("number 2");
        assertThat(text(ended.only())).isEqualTo("get HIT []");
    }

    @Test
    void failure_isTold() {
        PartitionedCache<Long, String> cache = loading();

        assertThatThrownBy(() -> cache.get(13L)).isInstanceOf(CacheLoaderException.class);
        CallContext failed = ended.only();
        assertThat(failed.outcome()).isEqualTo(CallOutcome.FAILED);
        assertThat(failed.getError()).isInstanceOf(CacheLoaderException.class);

        assertThatThrownBy(() -> cache.getAsync(13L).toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(CacheLoaderException.class);
        assertThat(ended.only().outcome()).isEqualTo(CallOutcome.FAILED);
    }

    @Test
    void asynchronousCall_isOneObservation_withinThatOfItsCaller_andEndsBeforeItsFuture() {
        PartitionedCache<Long, String> cache = cache();
        Observation request = Observation.start("request", registry);
        CompletableFuture<List<CallContext>> seen;
        CompletableFuture<@Nullable Observation> within;
        try (Observation.Scope scope = request.openScope()) {
            assertThat(scope.getCurrentObservation()).isSameAs(request);
            CompletableFuture<@Nullable String> got = cache.getAsync(1L).toCompletableFuture();
            seen = got.thenApply(none -> ended.calls());
            within = got.thenApply(none -> registry.getCurrentObservation());
        }
        assertThat(seen.join()).hasSize(1);
        assertThat(within.join()).as("a continuation is not within the call").isIn(null, request);
        CallContext call = ended.only();
        assertThat(text(call)).isEqualTo("get MISS [NEVER_LOADED]");
        assertThat(Objects.requireNonNull(call.getParentObservation()).getContextView())
                .isSameAs(request.getContextView());
        assertThat(registry.getCurrentObservation()).isNull();
    }

    @Test
    void callThatIsGivenUp_ends_andOnlyOnce() throws InterruptedException {
        PartitionedCache<Long, String> cache = cache();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<String> given = cache.<String>invokeAsync(1L, (entry, arguments) -> {
                    begun.countDown();
                    boolean unused = awaited(goOn);
                    return "done";
                })
                .toCompletableFuture();
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();

        given.cancel(true);

        CallContext call = ended.only();
        assertThat(call.outcome()).isEqualTo(CallOutcome.FAILED);
        assertThat(call.getError()).isInstanceOf(CancellationException.class);
        goOn.countDown();
        assertThatThrownBy(given::join).isInstanceOf(CancellationException.class);
        provider.close(); // waits for what runs
        assertThat(ended.calls()).isEmpty();
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Test
    void loadAll_endsBeforeItsListenerIsTold() throws Exception {
        PartitionedCache<Long, String> cache = loading();
        CompletionListenerFuture over = new CompletionListenerFuture();

        cache.loadAll(Set.of(2L), false, over);
        over.get(10, TimeUnit.SECONDS);
        assertThat(text(ended.only())).startsWith("loadAll DONE");

        CompletionListenerFuture failed = new CompletionListenerFuture();
        cache.loadAll(Set.of(13L), true, failed);
        assertThatThrownBy(() -> failed.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(CacheLoaderException.class);
        assertThat(ended.only().outcome()).isEqualTo(CallOutcome.FAILED);
    }

    @Test
    void callWithinACall_isItsChild() {
        PartitionedCache<Long, String> cache = cache();
        Cache<Long, String> other = manager().createCache("other", configuration());

        cache.invoke(1L, (entry, arguments) -> other.get(2L));

        List<CallContext> calls = ended.calls();
        assertThat(calls).extracting(CallContext::cache).containsExactly("other", "numbers");
        assertThat(Objects.requireNonNull(calls.get(0).getParentObservation()).getContextView())
                .isSameAs(calls.get(1));
        assertThat(calls.get(0).causes()).containsExactly(MissCause.NEVER_LOADED);
    }

    @Test
    void parallelPart_knowsItsCall() {
        PartitionedCache<Long, String> cache = cache();
        Set<String> parents = ConcurrentHashMap.newKeySet();
        Set<Long> keys = Stream.iterate(1L, key -> key + 1).limit(50).collect(Collectors.toSet());

        cache.invokeAll(keys, (entry, arguments) -> {
            Observation current = registry.getCurrentObservation();
            parents.add(
                    current != null && current.getContextView() instanceof CallContext call
                            ? call.operation()
                            : "none");
            return null;
        });

        assertThat(parents).containsExactly("invokeAll");
    }

    @Test
    void cacheForCallersThatNeverFail_isObserved() throws Exception {
        PartitionedCache<Long, String> cache = cache();
        @SuppressWarnings("unchecked") // the cache gives calls with its own types
        FailSafeCalls<Long, String> calls = cache.unwrap(FailSafeCalls.class);

        calls.put(1L, "one", null);
        assertThat(text(ended.only())).isEqualTo("put DONE []");
        assertThat(calls.get(1L)).isEqualTo("one");
        assertThat(text(ended.only())).isEqualTo("get HIT []");
        assertThat(calls.load(2L, () -> "two")).isEqualTo("two");
        assertThat(text(ended.only())).isEqualTo("load MISS [NEVER_LOADED]");
        calls.put(3L, "x".repeat(100_000_000), null);
        assertThat(text(ended.only())).isEqualTo("put FORGIVEN []");
        assertThatThrownBy(() -> calls.load(5L, () -> {
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(ended.only().outcome()).isEqualTo(CallOutcome.FAILED);
    }

    @Test
    void cache_isTheSameEachTime_andForGroupsAndListeners() {
        PartitionedCache<Long, String> cache = cache();
        List<Object> sources = new CopyOnWriteArrayList<>();
        cache.registerCacheEntryListener(new MutableCacheEntryListenerConfiguration<>(
                () -> (CacheEntryCreatedListener<Long, String>)
                        events -> events.forEach(event -> sources.add(event.getSource())),
                null,
                false,
                true));

        cache.put(1L, "one");

        assertThat(cache.getCacheManager().<Long, String>getCache("numbers")).isSameAs(cache);
        assertThat(cache.getCacheManager().getCache("numbers", Long.class, String.class))
                .isSameAs(cache);
        assertThat(sources).containsExactly(cache);
        assertThat((Object) cache.unwrap(PartitionedCache.class)).isSameAs(cache);
        assertThat(cache.<Boolean>invokeGroup(
                        2L, (group, arguments) -> group.entries(cache).get(2L) == null))
                .isTrue();
    }

    @Test
    void conventionOfTheApplication_isUsed() {
        final class Own extends CallConvention implements GlobalObservationConvention<CallContext> {
            @Override
            public String getName() {
                return "shop.cache";
            }

            @Override
            public KeyValues getHighCardinalityKeyValues(CallContext context) {
                return KeyValues.of("key", String.valueOf(context.key()));
            }
        }
        registry.observationConfig().observationConvention(new Own());

        cache().get(7L);

        CallContext call = ended.only();
        assertThat(call.getName()).isEqualTo("shop.cache");
        assertThat(call.getHighCardinalityKeyValues()).containsExactly(KeyValue.of("key", "7"));
    }

    @Test
    void handlerThatFails_failsNoCall() {
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onStart(Observation.Context context) {
                throw new IllegalStateException("start");
            }

            @Override
            public void onScopeOpened(Observation.Context context) {
                throw new IllegalStateException("open");
            }

            @Override
            public void onStop(Observation.Context context) {
                throw new IllegalStateException("stop");
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        PartitionedCache<Long, String> cache = cache();

        cache.put(1L, "one");

        assertThat(cache.get(1L)).isEqualTo("one");
        assertThat(cache.getAsync(1L).toCompletableFuture().join()).isEqualTo("one");
        assertThat(registry.getCurrentObservation()).isNull();
    }

    @Test
    void withoutRegistry_cacheIsItself() {
        CacheManager plain = provider.getCacheManager(null, null, new Properties());
        Cache<Long, String> cache = plain.createCache("numbers", configuration());

        assertThat(cache.getClass().getSimpleName()).isEqualTo("KeyslotCache");
        assertThat(Telemetry.of(false, "keyslot", properties(ObservationRegistry.NOOP), new SystemTicker()))
                .isSameAs(Telemetry.NONE);
        assertThatThrownBy(() -> Telemetry.of(false, "keyslot", properties("a text"), new SystemTicker()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("keyslot.observationRegistry");
    }

    private static Properties properties(Object registry) {
        Properties properties = new Properties();
        properties.put(Telemetry.OBSERVATION_REGISTRY, registry);
        return properties;
    }

    @Test
    void failureOfAProcessor_isTheOneOfItsCall() {
        PartitionedCache<Long, String> cache = cache();

        assertThatThrownBy(() -> cache.invoke(1L, (entry, arguments) -> {
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(EntryProcessorException.class);
        assertThat(ended.only().getError()).isInstanceOf(EntryProcessorException.class);
    }
}
