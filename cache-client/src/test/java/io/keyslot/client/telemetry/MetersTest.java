// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.client.config.ConfigurationException;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.slot.PartitionId;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The meters of a client with embedded partitions, whose registry comes by the property. */
class MetersTest {
    private static final URI SHOP = URI.create("shop");
    private static final URI STOCK = URI.create("stock");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();
    private final CacheManager manager = manager(SHOP, registry);
    private final Cache<String, String> cache = cache(manager);

    @AfterEach
    void close() {
        provider.close();
        registry.close();
    }

    private CacheManager manager(URI uri, Object registryOfTheTest) {
        Properties properties = new Properties();
        properties.put(Telemetry.METER_REGISTRY, registryOfTheTest);
        return provider.getCacheManager(uri, null, properties);
    }

    private static Cache<String, String> cache(CacheManager manager) {
        return manager.createCache("customer", new MutableConfiguration<String, String>());
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>();
        registry.getMeters().forEach(meter -> names.add(meter.getId().getName()));
        return names;
    }

    @Nested
    class OfACache {
        @Test
        void partitionThatWasAway_leavesTheLengthOfItsAbsence() {
            EmbeddedPartition p1 = manager.unwrap(EmbeddedPartitions.class)
                    .partition(new PartitionId("p1"))
                    .orElseThrow();
            assertThat(absences()).isZero();
            p1.kill();
            p1.restart();

            await().until(() -> absences() == 1);
            assertThat(registry.get("keyslot.partition.transitions")
                            .tags("partition", "p1", "to", "suspect", "cause", "lost")
                            .counter()
                            .count())
                    .isPositive();
            assertThat(registry.get("keyslot.partition.journal.length")
                            .tags("partition", "p1")
                            .gauge()
                            .value())
                    .isZero();
        }

        private long absences() {
            return registry.get("keyslot.partition.absence")
                    .tags("partition", "p1")
                    .timer()
                    .count();
        }

        @Test
        void areRemovedWithIt() {
            cache.close();

            assertThat(names()).noneMatch(name -> name.startsWith("cache."));
            assertThat(names()).anyMatch(name -> name.startsWith("keyslot."));
        }
    }

    @Nested
    class OfTheClient {
        @Test
        void partitions_showTheirStateAndItsChanges() {
            manager.unwrap(EmbeddedPartitions.class)
                    .partition(new PartitionId("p1"))
                    .orElseThrow()
                    .kill();

            assertThat(registry.get("keyslot.partition.state")
                            .tags("partition", "p1", "state", "healthy")
                            .gauge()
                            .value())
                    .isZero();
            assertThat(registry.get("keyslot.partition.state")
                            .tags("partition", "p2", "state", "healthy")
                            .gauge()
                            .value())
                    .isEqualTo(1);
            assertThat(registry.get("keyslot.partition.transitions")
                            .tags("partition", "p1", "to", "missing")
                            .counter()
                            .count())
                    .isPositive();
            assertThat(registry.get("keyslot.slotmap.version").gauge().value()).isEqualTo(1);
        }
    }

    @Test
    void noKeyAndNoSlot_isEverATag() {
        for (int i = 0; i < 1000; i++) {
            cache.put("secret" + i, "hidden" + i);
            cache.get("secret" + i);
            cache.remove("secret" + i);
        }

        Set<String> keys = new TreeSet<>();
        Set<String> values = new TreeSet<>();
        for (Meter meter : registry.getMeters()) {
            for (Tag tag : meter.getId().getTags()) {
                keys.add(tag.getKey());
                values.add(tag.getValue());
            }
        }
        assertThat(keys)
                .isSubsetOf(
                        "cache",
                        "cache.manager",
                        "cause",
                        "command",
                        "outcome",
                        "partition",
                        "result",
                        "state",
                        "to",
                        "name");
        assertThat(values)
                .hasSizeLessThan(30)
                .noneMatch(value -> value.contains("secret") || value.contains("hidden"))
                .noneMatch(value -> value.matches("\\d+"));
    }

    @Test
    void anotherObjectThanARegistry_isRefused() {
        assertThatThrownBy(() -> manager(STOCK, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("property keyslot.meterRegistry is a java.lang.Integer,"
                        + " must be a io.micrometer.core.instrument.MeterRegistry");
        assertThatThrownBy(() -> manager(STOCK, "prometheus"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("property keyslot.meterRegistry: is text, must be the object itself");
    }

    @Test
    void registryThatRefusesAMeter_leavesNothingBehind() {
        SimpleMeterRegistry refusing = new SimpleMeterRegistry();
        refusing.config().onMeterAdded(meter -> {
            if (meter.getId().getName().equals("keyslot.partition.state")
                    && "p3".equals(meter.getId().getTag("partition"))) {
                throw new IllegalStateException("enough");
            }
        });

        assertThatThrownBy(() -> manager(STOCK, refusing)).hasMessage("enough");

        assertThat(refusing.getMeters())
                .allMatch(meter -> "p3".equals(meter.getId().getTag("partition")));
    }
}
