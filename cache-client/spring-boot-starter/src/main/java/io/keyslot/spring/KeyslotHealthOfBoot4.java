// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.cache.PartitionedCacheManager;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Health for Spring Boot 4, with a contributor for each current partition. */
@AutoConfiguration(after = KeyslotAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthContributor")
@ConditionalOnBean(PartitionedCacheManager.class)
@ConditionalOnEnabledHealthIndicator("keyslot")
public final class KeyslotHealthOfBoot4 {
    /** Called by Spring. */
    public KeyslotHealthOfBoot4() {}

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
        public Stream<HealthContributors.Entry> stream() {
            return PartitionHealth.of(manager).stream()
                    .map(PartitionHealth::name)
                    .map(name -> new HealthContributors.Entry(name, indicator(name)));
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
