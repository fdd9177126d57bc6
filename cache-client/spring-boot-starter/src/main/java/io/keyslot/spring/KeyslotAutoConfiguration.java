// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.access.CredentialsProvider;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.telemetry.Telemetry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.observation.ObservationRegistry;
import java.lang.annotation.Annotation;
import java.util.Comparator;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.cache.CacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Defines the cache manager as {@code javax.cache.CacheManager} and as Spring's. Each backs off if the application
 * defines one; Spring's also if {@code spring.cache.type} selects another.
 */
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.autoconfigure.cache.CacheAutoConfiguration",
            "org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration"
        })
@ImportRuntimeHints(KeyslotRuntimeHints.class)
public final class KeyslotAutoConfiguration {
    /** Called by Spring. */
    public KeyslotAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(javax.cache.CacheManager.class)
    PartitionedCacheManager keyslotManager(
            BeanFactory beans,
            Environment environment,
            ResourceLoader resources,
            ObjectProvider<SslBundles> bundles,
            ObjectProvider<KeyslotConnectionDetails> details,
            ObjectProvider<CredentialsProvider> credentials,
            ObjectProvider<KeyslotCustomizer> customizers) {
        ManagerProperties properties = new ManagerProperties(environment);
        details.orderedStream()
                .sorted(Comparator.comparing(NamedConnectionDetails::nameOf))
                .forEach(properties::connect);
        properties.encrypt(bundles.getIfAvailable());
        properties.logIn(credentials.getIfAvailable());
        if (AutoConfigurationPackages.has(beans)) {
            properties.allow(AutoConfigurationPackages.get(beans));
        }
        customizers.orderedStream().forEach(properties::customize);
        return properties.start(resources.getClassLoader());
    }

    @Bean
    @Conditional(OfKeyslot.class)
    @ConditionalOnBean(PartitionedCacheManager.class)
    @ConditionalOnMissingBean(value = CacheManager.class, name = "cacheResolver")
    FailSafeCacheManager cacheManager(
            PartitionedCacheManager manager, Environment environment, ObjectProvider<EntryLifetime> lifetimes) {
        return new FailSafeCacheManager(
                manager,
                Binder.get(environment)
                        .bind("spring.cache.cache-names", String[].class)
                        .orElse(new String[0]),
                lifetimes.getIfAvailable(),
                environment);
    }

    /**
     * Whether {@code spring.cache.type} is absent, {@code keyslot}, or {@code jcache} without a provider or configuration
     * of its own: Spring's own JCache cache manager would fail requests while a partition is missing.
     */
    static final class OfKeyslot implements Condition {
        private static final String PROVIDER = "spring.cache.jcache.provider";

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            String type = environment.getProperty("spring.cache.type", "keyslot");
            boolean isOther = environment.containsProperty("spring.cache.jcache.config")
                    || !KeyslotCachingProvider.class
                            .getName()
                            .equals(environment.getProperty(PROVIDER, KeyslotCachingProvider.class.getName()));
            return type.equalsIgnoreCase("keyslot") || (type.equalsIgnoreCase("jcache") && !isOther);
        }
    }

    /** Annotations of methods apply to the caches of the manager above. */
    @Bean
    @ConditionalOnBean(FailSafeCacheManager.class)
    static CachedMethods keyslotCachedMethods(ConfigurableListableBeanFactory beans, Environment environment) {
        return new CachedMethods(beans, environment);
    }

    @Bean
    @ConditionalOnBean(PartitionedCacheManager.class)
    static FeedListeners keyslotFeedListeners(ConfigurableListableBeanFactory beans) {
        return new FeedListeners(beans);
    }

    /** Is found by the proxies of {@code @EnableCaching}. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnBean(FailSafeCacheManager.class)
    static Advisor keyslotBulkCaching(BeanFactory beans, Environment environment) {
        return new DefaultPointcutAdvisor(
                new ComposablePointcut(onMethods(BulkCacheable.class)).union(onMethods(BulkCacheEvict.class)),
                new BulkCaching(beans, new MethodLifetimes(environment)));
    }

    private static Pointcut onMethods(Class<? extends Annotation> annotation) {
        return new AnnotationMatchingPointcut(null, annotation, true);
    }

    /** Uses the registry of the context, or no meters without one; never the global registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.micrometer.core.instrument.composite.CompositeMeterRegistry")
    static final class Meters {
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        KeyslotCustomizer keyslotMeters(ObjectProvider<MeterRegistry> registries) {
            return properties -> {
                MeterRegistry registry = registries.getIfUnique();
                properties.put(Telemetry.METER_REGISTRY, registry == null ? new CompositeMeterRegistry() : registry);
            };
        }

        /**
         * Leaves one timer for each call and one for each command, {@code keyslot.call} and {@code keyslot.command}:
         * Spring Boot would make four more of the observations. Define a bean of this name to have others.
         */
        @Bean
        @ConditionalOnMissingBean(name = "keyslotMeterFilter")
        static MeterFilter keyslotMeterFilter() {
            return MeterFilter.deny(id -> id.getName().equals("keyslot.call.active")
                    || (id.getName().startsWith("db.client.operation.duration")
                            && id.getTag("keyslot.partition") != null));
        }
    }

    /** Uses the registry of the context, or no observations without one. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.micrometer.observation.ObservationRegistry")
    static final class Observations {
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        KeyslotCustomizer keyslotObservations(ObjectProvider<ObservationRegistry> registries) {
            return properties ->
                    registries.ifUnique(registry -> properties.put(Telemetry.OBSERVATION_REGISTRY, registry));
        }
    }
}
