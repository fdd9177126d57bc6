// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.client.config.ConfigurationException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Applies {@link CacheTtl}: wraps the cache resolver of Spring's interceptor, and returns views with the method's time
 * to live. Checks the cached methods at the start: an annotation of ours that cannot be applied fails it, and a return
 * type that cannot be stored is logged, or fails it if {@value #STRICT} is true, as in {@linkplain StorableInTests tests}.
 */
final class CachedMethods implements SmartInitializingSingleton {
    /** A setting of the starter: whether return types that cannot be stored fail the start. */
    static final String STRICT = "keyslot.require-storable";

    private static final Logger LOG = LoggerFactory.getLogger(CachedMethods.class);

    /** Spring caches what these contain. */
    private static final Set<String> WRAPPERS = Set.of(
            "java.util.Optional",
            "java.util.concurrent.CompletableFuture",
            "reactor.core.publisher.Mono",
            "reactor.core.publisher.Flux");

    private final ConfigurableListableBeanFactory beans;
    private final MethodLifetimes lifetimes;
    private final boolean isStrict;
    private final List<String> problems = new ArrayList<>();
    private final Set<String> unstorable = new LinkedHashSet<>();

    CachedMethods(ConfigurableListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.lifetimes = new MethodLifetimes(environment);
        this.isStrict = environment.getProperty(STRICT, Boolean.class, false);
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

    // ---- checks at the start

    private void check(CacheOperationSource operations) {
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && operations.isCandidateClass(type)) {
                annotated(type, operations).forEach((method, all) -> check(method, type, all));
            }
        }
        if (isStrict) {
            unstorable.forEach(each -> problems.add(each + "; set %s to false to be warned only".formatted(STRICT)));
        } else {
            unstorable.forEach(LOG::warn);
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException("of cached methods", problems);
        }
    }

    /** Returns the methods with cache annotations, and their operations for Spring. */
    private static Map<Method, Collection<CacheOperation>> annotated(Class<?> type, CacheOperationSource operations) {
        try {
            return MethodIntrospector.selectMethods(type, (MetadataLookup<Collection<CacheOperation>>) method -> {
                Collection<CacheOperation> all = operations.getCacheOperations(method, type);
                boolean isOurs = MethodLifetimes.isOn(method) || BulkCaching.isOn(method);
                return all == null && isOurs ? List.of() : all;
            });
        } catch (LinkageError | IllegalStateException e) {
            return Map.of(); // the class refers to missing classes: Spring ignores it too
        }
    }

    private void check(Method method, Class<?> type, Collection<CacheOperation> all) {
        List<CacheOperation> storing = all.stream()
                .filter(operation -> !(operation instanceof CacheEvictOperation))
                .toList();
        boolean isElsewhere = storing.stream().anyMatch(CachedMethods::isResolvedElsewhere);
        String ofBulk = BulkCaching.problemOf(method);
        if (ofBulk != null) {
            problems.add(ofBulk);
        }
        if (MethodLifetimes.isOn(method)) {
            checkLifetime(method, type, !storing.isEmpty() || BulkCaching.isStoring(method), isElsewhere);
        }
        if (!isElsewhere) {
            storing.forEach(operation -> checkReturned(method, type, operation.getCacheNames()));
        }
    }

    private void checkLifetime(Method method, Class<?> type, boolean isStoring, boolean isElsewhere) {
        if (!isStoring) {
            problems.add("@CacheTtl of %s: it stores nothing, as neither @Cacheable nor @CachePut is there"
                    .formatted(method));
        } else if (isElsewhere) {
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

    private void checkReturned(Method method, Class<?> type, Set<String> cacheNames) {
        ResolvableType returned = ResolvableType.forMethodReturnType(method, type);
        boolean isWrapped = WRAPPERS.contains(returned.toClass().getName());
        ResolvableType stored = isWrapped ? returned.getGeneric() : returned;
        FailSafeCacheManager manager = beans.getBean(FailSafeCacheManager.class);
        for (String name : cacheNames) {
            String problem = manager.getCache(name) instanceof FailSafeCache ours ? ours.problemOf(stored) : null;
            if (problem != null) {
                unstorable.add("Cache %s: what %s.%s returns cannot be cached: %s"
                        .formatted(name, ClassUtils.getShortName(type), method.getName(), problem));
            }
        }
    }

    private static boolean isResolvedElsewhere(CacheOperation operation) {
        return !operation.getCacheManager().isEmpty()
                || !operation.getCacheResolver().isEmpty();
    }
}
