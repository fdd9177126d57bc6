// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Calls methods with {@link BulkCacheable} or {@link BulkCacheEvict}. Safe for use by several threads. */
record BulkCaching(BeanFactory beans, MethodLifetimes lifetimes) implements MethodInterceptor {
    static boolean isOn(Method method) {
        return isStoring(method) || annotation(method, BulkCacheEvict.class) != null;
    }

    static boolean isStoring(Method method) {
        return annotation(method, BulkCacheable.class) != null;
    }

    /** Returns why the annotation of a method cannot be applied; null if it can, or there is none. */
    static @Nullable String problemOf(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        boolean takesKeys = parameters.length == 1 && (takesList(parameters[0]) || takesSet(parameters[0]));
        if (isStoring(method) && !(takesKeys && method.getReturnType() == Map.class)) {
            return "@BulkCacheable of %s: it must return a Map, and have one parameter, a Collection, List or Set"
                    .formatted(method);
        }
        return isOn(method) && !takesKeys
                ? "@BulkCacheEvict of %s: it must have one parameter, a Collection, List or Set".formatted(method)
                : null;
    }

    private static boolean takesList(Class<?> parameter) {
        return parameter != Object.class && parameter.isAssignableFrom(ArrayList.class);
    }

    private static boolean takesSet(Class<?> parameter) {
        return parameter != Object.class && parameter.isAssignableFrom(LinkedHashSet.class);
    }

    private static <A extends Annotation> @Nullable A annotation(Method method, Class<A> type) {
        return AnnotatedElementUtils.findMergedAnnotation(method, type);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Class<?> target = AopUtils.getTargetClass(Objects.requireNonNull(call.getThis()));
        Method method = AopUtils.getMostSpecificMethod(call.getMethod(), target);
        Set<Object> keys = new LinkedHashSet<>((Collection<?>) Objects.requireNonNull(call.getArguments()[0], "keys"));
        keys.remove(null);
        BulkCacheable cached = annotation(method, BulkCacheable.class);
        FailSafeCache cache = cached == null ? null : cache(cached.value());
        Object result = cache == null
                ? call.proceed()
                : found(
                        call,
                        keys,
                        lifetimes.of(method, target).map(cache::livingFor).orElse(cache));
        BulkCacheEvict evicted = annotation(method, BulkCacheEvict.class);
        for (String name : evicted == null ? new String[0] : evicted.value()) {
            FailSafeCache other = cache(name);
            if (other != null) {
                other.evictAll(keys);
            }
        }
        return result;
    }

    /** Returns null if the manager is closed, or if there is no such cache. */
    private @Nullable FailSafeCache cache(String name) {
        return beans.getBean(FailSafeCacheManager.class).getCache(name) instanceof FailSafeCache ours ? ours : null;
    }

    private static Map<Object, @Nullable Object> found(MethodInvocation call, Set<Object> keys, FailSafeCache cache)
            throws Throwable {
        Map<Object, @Nullable Object> found = cache.getAll(keys);
        List<Object> missing =
                keys.stream().filter(key -> !found.containsKey(key)).toList();
        if (missing.isEmpty()) {
            return found;
        }
        call.getArguments()[0] = takesList(call.getMethod().getParameterTypes()[0])
                ? new ArrayList<>(missing)
                : new LinkedHashSet<>(missing);
        Map<Object, @Nullable Object> loaded = new LinkedHashMap<>((Map<?, ?>) Objects.requireNonNull(call.proceed()));
        loaded.keySet().retainAll(missing);
        cache.putAll(loaded);
        found.putAll(loaded);
        return found;
    }
}
