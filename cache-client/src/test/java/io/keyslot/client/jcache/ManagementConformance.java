// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** The management beans: their names, and when they are there. */
public abstract class ManagementConformance extends JCacheConformance {
    @Test
    void reservedCharactersInTheCachesName_becomeDots() {
        String name = "a:b,c=d";
        Cache<String, String> cache = manager.createCache(name, strings().setStatisticsEnabled(true));
        assertThat(CacheMBeans.isRegistered(
                        CacheMBeans.name("CacheStatistics", manager.getURI().toString(), "a.b.c.d")))
                .isTrue();
        cache.put("k", "v");
        assertThat(cache.get("k")).isEqualTo("v");
    }

    /** Micrometer's binder replaces the colons of the URI only; a comma or an equals sign in it would break the name. */
    @Test
    void defaultUri_suitsAnObjectNameThatReplacesColonsOnly() throws MalformedObjectNameException {
        Cache<String, String> cache = create(strings().setStatisticsEnabled(true));
        ObjectName name = new ObjectName("javax.cache:type=CacheStatistics,CacheManager="
                + manager.getURI().toString().replace(':', '.') + ",Cache=" + NAME);
        assertThat(CacheMBeans.isRegistered(name)).isTrue();
        cache.get("absent");
        assertThat(CacheMBeans.attribute(name, "CacheMisses")).isEqualTo(1L);
    }

    /** Two managers of one URI have caches of the same bean name: neither breaks the other. */
    @Test
    void sameNameInTwoManagers_isNoFailureAndTheFirstKeepsItsBean() {
        Cache<String, String> first = create(strings().setStatisticsEnabled(true));
        CacheManager second = managerOf(new ClassLoader(getClass().getClassLoader()) {});
        second.createCache(NAME, strings().setStatisticsEnabled(true));
        first.get("absent");
        assertThat(CacheMBeans.attribute(CacheMBeans.statisticsName(first), "CacheMisses"))
                .isEqualTo(1L);
        second.close();
        assertThat(CacheMBeans.isRegistered(CacheMBeans.statisticsName(first))).isTrue();
    }
}
