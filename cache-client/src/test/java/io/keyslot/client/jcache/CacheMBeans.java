// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.lang.management.ManagementFactory;
import javax.cache.Cache;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The management beans of a cache, as a monitoring tool finds them. */
final class CacheMBeans {
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private CacheMBeans() {}

    static ObjectName statisticsName(Cache<?, ?> cache) {
        return name("CacheStatistics", cache.getCacheManager().getURI().toString(), cache.getName());
    }

    static ObjectName configurationName(Cache<?, ?> cache) {
        return name("CacheConfiguration", cache.getCacheManager().getURI().toString(), cache.getName());
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

    static void clearStatistics(Cache<?, ?> cache) {
        try {
            SERVER.invoke(statisticsName(cache), "clear", new Object[0], new String[0]);
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }
}
