// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.PartitionedConfiguration;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.HashSet;
import java.util.Set;
import javax.cache.CacheException;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.management.CacheMXBean;
import javax.cache.management.CacheStatisticsMXBean;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * Registers the MXBeans of one cache with the platform's MBean server, under the names that JSR-107 prescribes. If two
 * managers with one URI use the same names, the first one keeps them, and the other does not fail. Thread-safe.
 */
final class CacheBeans implements AutoCloseable {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final URI managerUri;
    private final String cacheName;
    private final Set<ObjectName> registered = new HashSet<>();

    CacheBeans(URI managerUri, String cacheName) {
        this.managerUri = managerUri;
        this.cacheName = cacheName;
    }

    void show(PartitionedConfiguration<?, ?> configuration, CacheCounters counters) {
        show(configuration.isStatisticsEnabled(), "CacheStatistics", new StatisticsBean(counters));
        show(configuration.isManagementEnabled(), "CacheConfiguration", new ConfigurationBean(configuration));
    }

    private synchronized void show(boolean wanted, String type, Object bean) {
        ObjectName name = nameOf(type);
        try {
            if (!wanted) {
                unregister(name);
            } else if (!registered.contains(name)) {
                server.registerMBean(bean, name);
                registered.add(name);
            }
        } catch (InstanceAlreadyExistsException e) {
            // another manager with the same URI has registered its cache under this name
            return;
        } catch (JMException e) {
            throw new CacheException("Cache %s: cannot register its MXBean %s".formatted(cacheName, name), e);
        }
    }

    private void unregister(ObjectName name) throws JMException {
        if (!registered.remove(name)) {
            return;
        }
        try {
            server.unregisterMBean(name);
        } catch (InstanceNotFoundException e) {
            // already removed by others
            return;
        }
    }

    private ObjectName nameOf(String type) {
        String text = "javax.cache:type=%s,CacheManager=%s,Cache=%s"
                .formatted(type, sanitized(managerUri.toString()), sanitized(cacheName));
        try {
            return new ObjectName(text);
        } catch (MalformedObjectNameException e) {
            throw new CacheException("Cache %s: its name does not fit into an MXBean's".formatted(cacheName), e);
        }
    }

    /**
     * Replaces characters as the reference implementation of JSR-107 does, and others that names must not have, so that
     * a URI with a query is no pattern.
     */
    private static String sanitized(String text) {
        return text.replaceAll("[,:=\n?*\"]", ".");
    }

    @Override
    public synchronized void close() {
        for (ObjectName name : Set.copyOf(registered)) {
            try {
                unregister(name);
            } catch (JMException e) {
                throw new CacheException("Cache %s: cannot remove its MXBean %s".formatted(cacheName, name), e);
            }
        }
    }

    record StatisticsBean(CacheCounters counters) implements CacheStatisticsMXBean {

        @Override
        public void clear() {
            counters.clear();
        }

        @Override
        public long getCacheHits() {
            return counters.hits();
        }

        @Override
        public float getCacheHitPercentage() {
            return percentage(getCacheHits());
        }

        @Override
        public long getCacheMisses() {
            return counters.misses();
        }

        @Override
        public float getCacheMissPercentage() {
            return percentage(getCacheMisses());
        }

        private float percentage(long part) {
            long gets = getCacheGets();
            return gets == 0 ? 0 : 100f * part / gets;
        }

        @Override
        public long getCacheGets() {
            return getCacheHits() + getCacheMisses();
        }

        @Override
        public long getCachePuts() {
            return counters.puts();
        }

        @Override
        public long getCacheRemovals() {
            return counters.removals();
        }

        /** Returns 0: partitions do not report for which cache they evict. */
        @Override
        public long getCacheEvictions() {
            return 0;
        }

        @Override
        public float getAverageGetTime() {
            return counters.averageGetMicros();
        }

        @Override
        public float getAveragePutTime() {
            return counters.averagePutMicros();
        }

        @Override
        public float getAverageRemoveTime() {
            return counters.averageRemoveMicros();
        }
    }

    private record ConfigurationBean(CompleteConfiguration<?, ?> configuration) implements CacheMXBean {

        @Override
        public String getKeyType() {
            return configuration.getKeyType().getName();
        }

        @Override
        public String getValueType() {
            return configuration.getValueType().getName();
        }

        @Override
        public boolean isReadThrough() {
            return configuration.isReadThrough();
        }

        @Override
        public boolean isWriteThrough() {
            return configuration.isWriteThrough();
        }

        @Override
        public boolean isStoreByValue() {
            return configuration.isStoreByValue();
        }

        @Override
        public boolean isStatisticsEnabled() {
            return configuration.isStatisticsEnabled();
        }

        @Override
        public boolean isManagementEnabled() {
            return configuration.isManagementEnabled();
        }
    }
}
