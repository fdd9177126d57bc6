// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.jcache.MapLoader;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.tracer.common.SpanContext;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Pattern;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the registry of an application knows the trace that a thread is in, and has histograms, its buckets name that trace. */
class ExemplarsTest {
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    private static final String TRACE = "0123456789abcdef0123456789abcdef";

    private final CurrentSpan span = new CurrentSpan();
    private final PrometheusMeterRegistry prometheus =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), Clock.SYSTEM, span);

    /** A tracer, as far as a registry sees it: the trace of the thread that asks. */
    private static final class CurrentSpan implements SpanContext {
        private final ThreadLocal<@Nullable String> trace = new ThreadLocal<>();

        @Override
        public @Nullable String getCurrentTraceId() {
            return trace.get();
        }

        @Override
        public @Nullable String getCurrentSpanId() {
            return trace.get() == null ? null : "0123456789abcdef";
        }

        @Override
        public boolean isCurrentSpanSampled() {
            return trace.get() != null;
        }

        @Override
        public void markCurrentSpanAsExemplar() {}
    }

    /** What an application says who wants histograms: Spring Boot's {@code management.metrics.distribution.percentiles-histogram}. */
    private void haveHistograms() {
        prometheus.config().meterFilter(new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return DistributionStatisticConfig.builder()
                        .percentilesHistogram(true)
                        .build()
                        .merge(config);
            }
        });
    }

    private String scrapeAfterLoad() {
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(prometheus));
        Properties properties = new Properties();
        properties.put(Telemetry.OBSERVATION_REGISTRY, observations);
        properties.put(Telemetry.METER_REGISTRY, prometheus);
        try (CacheManager manager = Caching.getCachingProvider()
                .getCacheManager(URI.create("exemplars"), getClass().getClassLoader(), properties)) {
            Cache<Long, Long> cache = manager.createCache(
                    "product",
                    new MutableConfiguration<Long, Long>()
                            .setTypes(Long.class, Long.class)
                            .setReadThrough(true)
                            .setCacheLoaderFactory(() -> MapLoader.answering(key -> key)));
            assertThat(cache.get(1L)).isEqualTo(1L);
            return Objects.requireNonNull(prometheus.scrape(OPEN_METRICS));
        }
    }

    private static List<String> exemplars(String scrape, String meter) {
        return Pattern.compile("(?m)^" + meter + "_seconds_bucket\\{.*} \\d+.* # \\{(.*)} .*$")
                .matcher(scrape)
                .results()
                .map(line -> line.group(1))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"keyslot_call", "keyslot_command", "keyslot_loads"})
    void bucketOfALatency_namesTheTraceOfTheCall(String meter) {
        haveHistograms();
        span.trace.set(TRACE);

        assertThat(exemplars(scrapeAfterLoad(), meter))
                .isNotEmpty()
                .allSatisfy(exemplar -> assertThat(exemplar).contains("trace_id=\"" + TRACE + "\""));
    }

    /** A histogram is some dozens of time series for each timer: who wants them says so. */
    @Test
    void withoutBeingAskedFor_timersHaveNoHistograms() {
        span.trace.set(TRACE);

        assertThat(scrapeAfterLoad())
                .contains("keyslot_command_seconds_count")
                .doesNotContain(
                        "keyslot_command_seconds_bucket",
                        "keyslot_call_seconds_bucket",
                        "keyslot_loads_seconds_bucket");
    }
}
