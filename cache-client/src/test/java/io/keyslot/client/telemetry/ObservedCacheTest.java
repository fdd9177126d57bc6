// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
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
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
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

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final Ended ended = new Ended();

    @AutoClose
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();

    @BeforeEach
    void observe() {
        registry.observationConfig().observationHandler(ended);
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
}
