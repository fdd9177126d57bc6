// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.cache.PartitionedCacheManager;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Defines the endpoint if it is exposed. */
@AutoConfiguration(after = KeyslotAutoConfiguration.class)
@ConditionalOnClass(
        name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
@ConditionalOnBean(PartitionedCacheManager.class)
public final class KeyslotEndpointAutoConfiguration {
    /** Called by Spring. */
    public KeyslotEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint(endpoint = KeyslotEndpoint.class)
    KeyslotEndpoint keyslotEndpoint(PartitionedCacheManager manager, ObjectProvider<TooLargeGroups> groups) {
        return new KeyslotEndpoint(manager, groups.getIfAvailable());
    }

    /** Applies if the context has a meter registry, which the manager uses. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
    static final class Groups {
        @Bean
        TooLargeGroups keyslotTooLargeGroups(ObjectProvider<MeterRegistry> registries) {
            return () -> {
                Map<String, Long> found = new TreeMap<>();
                registries.ifUnique(registry -> registry.find("keyslot.groups.too.large")
                        .counters()
                        .forEach(counter -> found.merge(
                                String.valueOf(counter.getId().getTag("root")), (long) counter.count(), Long::sum)));
                return found;
            };
        }
    }
}
