// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.entry.CacheCounters;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.lang.management.ManagementFactory;
import java.net.URI;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CacheBeansTest {
    private static final URI MANAGER = URI.create("beans-test");

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final CacheCounters counters = new CacheCounters(true, CacheTelemetry.NONE);
    private final CacheBeans beans = new CacheBeans(MANAGER, "customer");

    @AfterEach
    void close() {
        beans.close();
    }

    private static PartitionedConfiguration<String, String> statistics(boolean areShown) {
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
        configuration.setStatisticsEnabled(areShown);
        return configuration;
    }

    private static ObjectName statisticsOf(String manager, String cache) throws Exception {
        return new ObjectName("javax.cache:type=CacheStatistics,CacheManager=%s,Cache=%s".formatted(manager, cache));
    }

    @Test
    void bean_isThereWhileItIsWanted() throws Exception {
        ObjectName name = statisticsOf("beans-test", "customer");
        counters.hits(2);

        beans.show(statistics(true), counters);
        beans.show(statistics(true), counters);
        assertThat(server.getAttribute(name, "CacheHits")).isEqualTo(2L);

        beans.show(statistics(false), counters);
        assertThat(server.isRegistered(name)).isFalse();
    }

    @Test
    void secondCacheOfTheSameName_neitherFailsNorTakesTheFirstOnesAway() throws Exception {
        ObjectName name = statisticsOf("beans-test", "customer");
        counters.hits(2);
        beans.show(statistics(true), counters);

        CacheBeans second = new CacheBeans(MANAGER, "customer");
        second.show(statistics(true), new CacheCounters(true, CacheTelemetry.NONE));
        second.show(statistics(false), counters);
        second.close();

        assertThat(server.getAttribute(name, "CacheHits")).isEqualTo(2L);
    }

    @Test
    void beanThatSomebodyRemoved_isNotMissed() throws Exception {
        beans.show(statistics(true), counters);
        server.unregisterMBean(statisticsOf("beans-test", "customer"));

        beans.close();
    }

    @Test
    void charactersThatANameCannotHave_arePoints() throws Exception {
        try (CacheBeans odd = new CacheBeans(URI.create("odd:a?b=c"), "x*y\"z")) {
            odd.show(statistics(true), counters);

            assertThat(server.isRegistered(statisticsOf("odd.a.b.c", "x.y.z"))).isTrue();
        }
        assertThat(server.isRegistered(statisticsOf("odd.a.b.c", "x.y.z"))).isFalse();
    }

    @Test
    void bean_showsCountsAndAverages() {
        counters.hits(3);
        counters.lookup(false);
        counters.puts(2);
        counters.removals(1);
        counters.getTook(8_000);
        counters.putTook(3_000);
        counters.removeTook(500);

        CacheBeans.StatisticsBean bean = new CacheBeans.StatisticsBean(counters);

        assertThat(bean.getCacheHits()).isEqualTo(3);
        assertThat(bean.getCacheMisses()).isEqualTo(1);
        assertThat(bean.getCacheGets()).isEqualTo(4);
        assertThat(bean.getCachePuts()).isEqualTo(2);
        assertThat(bean.getCacheRemovals()).isEqualTo(1);
        assertThat(bean.getCacheEvictions()).isZero();
        assertThat(bean.getCacheHitPercentage()).isEqualTo(75f);
        assertThat(bean.getCacheMissPercentage()).isEqualTo(25f);
        assertThat(bean.getAverageGetTime()).isEqualTo(2f);
        assertThat(bean.getAveragePutTime()).isEqualTo(1.5f);
        assertThat(bean.getAverageRemoveTime()).isEqualTo(0.5f);
    }

    @Test
    void nothingCounted_isZeroNotNaN() {
        counters.hits(1);
        counters.getTook(1000);
        CacheBeans.StatisticsBean bean = new CacheBeans.StatisticsBean(counters);
        bean.clear();

        assertThat(bean.getCacheHitPercentage()).isZero();
        assertThat(bean.getCacheMissPercentage()).isZero();
        assertThat(bean.getAverageGetTime()).isZero();
        assertThat(bean.getAveragePutTime()).isZero();
    }
}
