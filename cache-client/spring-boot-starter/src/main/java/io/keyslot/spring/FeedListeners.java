// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.feed.FeedBatch;
import io.keyslot.cache.feed.FeedStart;
import io.keyslot.cache.feed.FeedSubscription;
import java.lang.reflect.Method;
import java.util.Map;
import javax.cache.Cache;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** Subscribes the methods with {@link FeedListener} to the feeds of their caches, when all singletons exist. */
record FeedListeners(ConfigurableListableBeanFactory beans) implements SmartInitializingSingleton {
    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = beans.getType(name, false);
            if (type != null && beans.isSingleton(name)) {
                methodsOf(type).forEach((method, listener) -> subscribe(beans.getBean(name), method, listener));
            }
        }
    }

    private static Map<Method, FeedListener> methodsOf(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<FeedListener>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, FeedListener.class));
    }

    @SuppressWarnings("unchecked") // the listener takes a batch of any types
    private void subscribe(Object bean, Method method, FeedListener listener) {
        if (method.getParameterCount() != 1 || method.getParameterTypes()[0] != FeedBatch.class) {
            throw new IllegalStateException(
                    "@FeedListener on %s: the method must have one parameter, a FeedBatch".formatted(method));
        }
        String name = resolved(listener.cache());
        Cache<?, ?> cache = beans.getBean(PartitionedCacheManager.class).getCache(name);
        if (cache == null) {
            throw new IllegalStateException(
                    "@FeedListener on %s: there is no cache %s; configure it with a feed, or create it before"
                            .formatted(method, name));
        }
        Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
        ReflectionUtils.makeAccessible(invocable);
        PartitionedCache<Object, Object> feeding = cache.unwrap(PartitionedCache.class);
        FeedSubscription unused = feeding.subscribe(
                resolved(listener.group()),
                listener.latest() ? FeedStart.LATEST : FeedStart.EARLIEST,
                batch -> process(bean, invocable, batch));
    }

    private String resolved(String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        return resolved == null ? text : resolved;
    }

    private static void process(Object bean, Method method, FeedBatch<?, ?> batch) {
        Object unused = ReflectionUtils.invokeMethod(method, bean, batch);
        batch.checkpoint();
    }
}
