// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.near.NearEnd;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NearMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();

    @AfterEach
    void close() {
        provider.close();
    }

    /** Returns a cache whose statistics count as well. */
    private Cache<String, String> cache() {
        Properties properties = new Properties();
        properties.put(Telemetry.METER_REGISTRY, registry);
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setNear(NearOptions.ofEntries(100))
                .setStatisticsEnabled(true);
        return provider.getCacheManager(URI.create("near"), NearMetersTest.class.getClassLoader(), properties)
                .createCache("customer", configuration);
    }

    private CacheTelemetry telemetry() {
        CacheTelemetry telemetry =
                Meters.of("near", registry, null, new SystemTicker()).cache("customer");
        telemetry.showNear(() -> 0, () -> 0, () -> 0, () -> 0);
        return telemetry;
    }

    private double counted(String name) {
        return registry.get(name).tag("cache", "customer").functionCounter().count();
    }

    private double shown(String name) {
        return registry.get(name).tag("cache", "customer").gauge().value();
    }

    private double ended(NearEnd cause) {
        return registry.get(nameOf(cause))
                .tag("cause", cause.name().toLowerCase(Locale.ROOT))
                .counter()
                .count();
    }

    private static String nameOf(NearEnd cause) {
        return cause.isInvalidation() ? "keyslot.near.invalidations" : "keyslot.near.dropped";
    }

    @Test
    void readsOfANearCache_areCountedHereAndAsReadsOfTheCache() {
        Cache<String, String> cache = cache();
        cache.put("a", "1");

        cache.get("a");
        cache.get("a");
        cache.getAll(Set.of("a", "b"));

        assertThat(counted("keyslot.near.hits")).isEqualTo(2);
        assertThat(counted("keyslot.near.misses")).isEqualTo(2);
        assertThat(registry.get("cache.gets")
                        .tag("result", "hit")
                        .functionCounter()
                        .count())
                .isEqualTo(3);
        assertThat(registry.get("cache.gets")
                        .tag("result", "miss")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void copies_areShownWithTheirBytes() {
        Cache<String, String> cache = cache();
        cache.put("a", "1".repeat(1_000));
        cache.get("a");

        assertThat(shown("keyslot.near.entries")).isEqualTo(1);
        assertThat(shown("keyslot.near.bytes")).isBetween(1_000.0, 2_000.0);
    }

    @Test
    void changeOfAnEntry_isCountedIfItHadACopy() {
        Cache<String, String> cache = cache();
        cache.put("a", "1");
        cache.get("a");

        cache.put("a", "2");
        cache.put("a", "3");

        assertThat(Arrays.stream(NearEnd.values()).mapToDouble(this::ended).sum())
                .isEqualTo(1);
        assertThat(ended(NearEnd.OWN_CHANGE) + ended(NearEnd.TOLD)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void everyEnd_hasACounterFromTheStart(NearEnd cause) {
        CacheTelemetry telemetry = telemetry();
        assertThat(ended(cause)).isZero();

        telemetry.onNearEnded(cause, 3);

        assertThat(ended(cause)).isEqualTo(3);
    }

    @Test
    void ages_areAHistogram() {
        CacheTelemetry telemetry = telemetry();

        telemetry.onNearServed(Duration.ofMillis(3).toNanos());
        telemetry.onNearServed(Duration.ofMillis(700).toNanos());

        Timer ages = registry.get("keyslot.near.age").tag("cache", "customer").timer();
        assertThat(ages.count()).isEqualTo(2);
        assertThat(ages.takeSnapshot().histogramCounts())
                .filteredOn(bucket -> bucket.bucket(TimeUnit.MILLISECONDS) == 5 || bucket.bucket(TimeUnit.SECONDS) == 1)
                .extracting(bucket -> bucket.count())
                .containsExactly(1.0, 2.0);
    }

    @Test
    void metersOfAClosedCache_areGone() {
        Cache<String, String> cache = cache();
        List<String> names =
                List.of("keyslot.near.hits", "keyslot.near.age", "keyslot.near.bytes", "keyslot.near.dropped");
        assertThat(names).allMatch(name -> registry.find(name).meter() != null);

        cache.close();

        assertThat(names).noneMatch(name -> registry.find(name).meter() != null);
    }
}
