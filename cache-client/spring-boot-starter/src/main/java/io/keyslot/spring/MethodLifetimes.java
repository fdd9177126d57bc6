// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.client.config.ConfigurationException;
import io.keyslot.client.config.ValueType;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.env.Environment;

/** Reads and caches the {@link CacheTtl} of methods. Safe for use by several threads. */
final class MethodLifetimes {
    private final Environment environment;
    private final ConcurrentMap<MethodClassKey, Optional<Duration>> known = new ConcurrentHashMap<>();

    MethodLifetimes(Environment environment) {
        this.environment = environment;
    }

    /**
     * Returns the time to live of entries that the method stores; throws {@link ConfigurationException} if it is
     * invalid.
     */
    Optional<Duration> of(Method method, Class<?> target) {
        return known.computeIfAbsent(new MethodClassKey(method, target), key -> read(method, target));
    }

    static boolean isOn(Method method) {
        return annotation(method).isPresent();
    }

    private Optional<Duration> read(Method method, Class<?> target) {
        return annotation(AopUtils.getMostSpecificMethod(method, target))
                .getValue(MergedAnnotation.VALUE, String.class)
                .map(text -> parsed(method, text));
    }

    private Duration parsed(Method method, String text) {
        String resolved = environment.resolvePlaceholders(text);
        return ValueType.DURATION_ABOVE_ZERO
                .parse(resolved)
                .orElseThrow(() -> new ConfigurationException("@CacheTtl of %s is \"%s\", %s"
                        .formatted(method, resolved, ValueType.DURATION_ABOVE_ZERO.rule())));
    }

    private static MergedAnnotation<CacheTtl> annotation(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(CacheTtl.class);
    }
}
