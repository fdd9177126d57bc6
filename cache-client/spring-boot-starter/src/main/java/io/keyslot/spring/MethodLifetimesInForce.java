// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.client.config.ConfigurationException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.cache.Cache;
import org.springframework.cache.interceptor.CacheAspectSupport;
import org.springframework.cache.interceptor.CacheEvictOperation;
import org.springframework.cache.interceptor.CacheOperation;
import org.springframework.cache.interceptor.CacheOperationInvocationContext;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.cache.interceptor.CacheResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Applies {@link CacheTtl}: wraps the cache resolver of Spring's interceptor, and returns views with the method's time
 * to live. An annotation that cannot be applied fails the start.
 */
final class MethodLifetimesInForce implements SmartInitializingSingleton {
    private final ConfigurableListableBeanFactory beans;
    private final MethodLifetimes lifetimes;

    MethodLifetimesInForce(ConfigurableListableBeanFactory beans, MethodLifetimes lifetimes) {
        this.beans = beans;
        this.lifetimes = lifetimes;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<CacheAspectSupport> interceptors =
                beans.getBeanProvider(CacheAspectSupport.class).stream().toList();
        interceptors.forEach(this::putInto);
        interceptors.stream()
                .map(CacheAspectSupport::getCacheOperationSource)
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(this::check);
    }

    private void putInto(CacheAspectSupport interceptor) {
        interceptor.afterSingletonsInstantiated(); // sets its resolver, whatever the order of the singletons
        CacheResolver resolver = Objects.requireNonNull(interceptor.getCacheResolver());
        interceptor.setCacheResolver(context -> views(context, resolver.resolveCaches(context)));
    }

    private Collection<? extends Cache> views(
            CacheOperationInvocationContext<?> context, Collection<? extends Cache> caches) {
        if (context.getOperation() instanceof CacheEvictOperation) {
            return caches;
        }
        return lifetimes
                .of(context.getMethod(), context.getTarget().getClass())
                .<Collection<? extends Cache>>map(lifetime -> caches.stream()
                        .map(cache -> cache instanceof FailSafeCache ours ? ours.livingFor(lifetime) : cache)
                        .toList())
                .orElse(caches);
    }

    // ---- annotations that cannot be applied

    private void check(CacheOperationSource operations) {
        List<String> problems = new ArrayList<>();
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, CacheTtl.class)) {
                annotated(type).forEach(method -> check(method, type, operations, problems));
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException("of @CacheTtl", problems);
        }
    }

    private static Set<Method> annotated(Class<?> type) {
        try {
            return MethodIntrospector.selectMethods(
                            type, (MetadataLookup<Boolean>) method -> MethodLifetimes.isOn(method) ? true : null)
                    .keySet();
        } catch (LinkageError | IllegalStateException e) {
            return Set.of(); // the class refers to missing classes: Spring ignores it too
        }
    }

    private void check(Method method, Class<?> type, CacheOperationSource operations, List<String> problems) {
        Collection<CacheOperation> all = operations.getCacheOperations(method, type);
        List<CacheOperation> storing = all == null
                ? List.of()
                : all.stream()
                        .filter(operation -> !(operation instanceof CacheEvictOperation))
                        .toList();
        if (storing.isEmpty()) {
            problems.add("@CacheTtl of %s: it stores nothing, as neither @Cacheable nor @CachePut is there"
                    .formatted(method));
        } else if (storing.stream().anyMatch(MethodLifetimesInForce::isResolvedElsewhere)) {
            problems.add(
                    "@CacheTtl of %s: it names a cacheManager or cacheResolver of its own, which does not know of it"
                            .formatted(method));
        }
        try {
            lifetimes.of(method, type);
        } catch (ConfigurationException e) {
            problems.addAll(e.problems());
        }
    }

    private static boolean isResolvedElsewhere(CacheOperation operation) {
        return !operation.getCacheManager().isEmpty()
                || !operation.getCacheResolver().isEmpty();
    }
}
