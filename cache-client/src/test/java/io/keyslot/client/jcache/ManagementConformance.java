// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.management.JMException;
import javax.management.MBeanServer;
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

    /** The management beans of a cache, as a monitoring tool finds them. */
    private static final class CacheMBeans {
        private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

        private CacheMBeans() {}

        static ObjectName statisticsName(Cache<?, ?> cache) {
            return name("CacheStatistics", cache.getCacheManager().getURI().toString(), cache.getName());
        }

        /** Returns the name that JSR-107 prescribes: each of {@code : = , \n} replaced by a dot. */
        static ObjectName name(String type, String uri, String cache) {
            try {
                return new ObjectName("javax.cache:type=" + type + ",CacheManager=" + uri.replaceAll("[,:=\n]", ".")
                        + ",Cache=" + cache.replaceAll("[,:=\n]", "."));
            } catch (JMException e) {
                throw new AssertionError(e);
            }
        }

        static boolean isRegistered(ObjectName name) {
            return SERVER.isRegistered(name);
        }

        static Object attribute(ObjectName name, String attribute) {
            try {
                return SERVER.getAttribute(name, attribute);
            } catch (JMException e) {
                throw new AssertionError("Cannot read %s of %s".formatted(attribute, name), e);
            }
        }
    }
}
