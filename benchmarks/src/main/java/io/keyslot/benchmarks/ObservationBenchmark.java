// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to observe a {@code get} of the embedded engine, which is all processor time. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // set up before each trial
public class ObservationBenchmark {
    /** Who is told of an observation. */
    public enum Told {
        /** There is no registry. */
        NOBODY,
        /** A handler that does nothing. */
        HANDLER,
        /** Micrometer's, which makes a timer and a long task timer of each. */
        METERS;

        void put(Properties properties) {
            if (this == NOBODY) {
                return;
            }
            ObservationRegistry registry = ObservationRegistry.create();
            ObservationHandler<Observation.Context> handler =
                    this == METERS ? new DefaultMeterObservationHandler(new SimpleMeterRegistry()) : context -> true;
            registry.observationConfig().observationHandler(handler);
            properties.put("keyslot.observationRegistry", registry);
        }
    }

    private static final int KEYS = 64;

    @Param
    private Told told;

    private KeyslotCachingProvider provider;
    private Cache<Long, Long> cache;
    private long next;

    @Setup
    public void fill() {
        Properties properties = new Properties();
        properties.put("keyslot.metrics", "false");
        told.put(properties);
        provider = new KeyslotCachingProvider();
        cache = provider.getCacheManager(null, null, properties)
                .createCache(
                        told.name().toLowerCase(Locale.ROOT),
                        new MutableConfiguration<Long, Long>().setTypes(Long.class, Long.class));
        for (long key = 0; key < KEYS; key++) {
            cache.put(key, key);
        }
    }

    @TearDown
    public void close() {
        provider.close();
    }

    @Benchmark
    public Long get() {
        return cache.get(++next & (KEYS - 1));
    }
}
