// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.HashSet;
import java.util.Set;
import javax.cache.CacheException;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * Registers the MXBeans of one cache with the platform's MBean server, under the names that JSR-107 prescribes.
 *
 * <p>Two managers with one URI and different class loaders have the same names. The first one keeps them; the other one
 * neither fails nor removes what is not its own. Safe for use by several threads.
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

    void showStatistics(boolean wanted, StatisticsBean bean) {
        show(wanted, "CacheStatistics", bean);
    }

    void showConfiguration(boolean wanted, ConfigurationBean bean) {
        show(wanted, "CacheConfiguration", bean);
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
            // another manager with the same URI shows its own cache under this name
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
            // somebody else removed it: it is gone, as we want it
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
     * As the specification's reference implementation does, and whoever looks the beans up expects; and also for the
     * other characters that a name cannot have: with one of them, a URI with a query would be a pattern.
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
}
