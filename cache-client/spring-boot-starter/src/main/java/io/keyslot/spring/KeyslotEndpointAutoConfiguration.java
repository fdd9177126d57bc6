// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.cache.PartitionedCacheManager;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The endpoint, where it is exposed. */
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
    KeyslotEndpoint keyslotEndpoint(PartitionedCacheManager manager) {
        return new KeyslotEndpoint(manager);
    }
}
