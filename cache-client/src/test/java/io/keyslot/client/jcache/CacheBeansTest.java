// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

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
    private final StatisticsBean statistics = new StatisticsBean(counters);
    private final CacheBeans beans = new CacheBeans(MANAGER, "customer");

    @AfterEach
    void close() {
        beans.close();
    }

    private static ObjectName statisticsOf(String manager, String cache) throws Exception {
        return new ObjectName("javax.cache:type=CacheStatistics,CacheManager=%s,Cache=%s".formatted(manager, cache));
    }

    @Test
    void bean_isThereWhileItIsWanted() throws Exception {
        ObjectName name = statisticsOf("beans-test", "customer");
        counters.hits(2);

        beans.showStatistics(true, statistics);
        beans.showStatistics(true, statistics);
        assertThat(server.getAttribute(name, "CacheHits")).isEqualTo(2L);

        beans.showStatistics(false, statistics);
        assertThat(server.isRegistered(name)).isFalse();
    }

    @Test
    void secondCacheOfTheSameName_neitherFailsNorTakesTheFirstOnesAway() throws Exception {
        ObjectName name = statisticsOf("beans-test", "customer");
        counters.hits(2);
        beans.showStatistics(true, statistics);

        CacheBeans second = new CacheBeans(MANAGER, "customer");
        second.showStatistics(true, new StatisticsBean(new CacheCounters(true, CacheTelemetry.NONE)));
        second.showStatistics(false, statistics);
        second.close();

        assertThat(server.getAttribute(name, "CacheHits")).isEqualTo(2L);
    }

    @Test
    void beanThatSomebodyRemoved_isNotMissed() throws Exception {
        beans.showStatistics(true, statistics);
        server.unregisterMBean(statisticsOf("beans-test", "customer"));

        beans.close();
    }

    @Test
    void charactersThatANameCannotHave_arePoints() throws Exception {
        try (CacheBeans odd = new CacheBeans(URI.create("odd:a?b=c"), "x*y\"z")) {
            odd.showStatistics(true, statistics);

            assertThat(server.isRegistered(statisticsOf("odd.a.b.c", "x.y.z"))).isTrue();
        }
        assertThat(server.isRegistered(statisticsOf("odd.a.b.c", "x.y.z"))).isFalse();
    }
}
