// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.cache.PartitionedCacheManager;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.CompositeHealthContributor;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthContributor;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.NamedContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Health for Spring Boot 3, with a contributor for each current partition. */
@AutoConfiguration(after = KeyslotAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthContributor")
@ConditionalOnBean(PartitionedCacheManager.class)
@ConditionalOnEnabledHealthIndicator("keyslot")
public final class KeyslotHealthOfBoot3 {
    /** Called by Spring. */
    public KeyslotHealthOfBoot3() {}

    @Bean
    @ConditionalOnMissingBean(name = "keyslotHealthContributor")
    CompositeHealthContributor keyslotHealthContributor(PartitionedCacheManager manager) {
        return new Partitions(manager);
    }

    private record Partitions(PartitionedCacheManager manager) implements CompositeHealthContributor {
        @Override
        @SuppressWarnings("NullAway") // null for a partition that does not exist
        public @Nullable HealthContributor getContributor(String name) {
            return PartitionHealth.of(manager, name)
                    .map(known -> indicator(name))
                    .orElse(null);
        }

        @Override
        public Iterator<NamedContributor<HealthContributor>> iterator() {
            return PartitionHealth.of(manager).stream()
                    .map(PartitionHealth::name)
                    .map(name -> NamedContributor.of(name, (HealthContributor) indicator(name)))
                    .iterator();
        }

        private HealthIndicator indicator(String name) {
            return () -> PartitionHealth.of(manager, name)
                    .map(health -> Health.status(health.code())
                            .withDetails(health.details())
                            .build())
                    .orElseGet(() -> Health.unknown().build());
        }
    }
}
