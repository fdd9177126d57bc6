// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.integration.CompletionListener;
import javax.cache.integration.CompletionListenerFuture;
import javax.cache.processor.EntryProcessor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every method with a null argument, and on a closed cache or manager. The methods are found by reflection, so that none
 * is forgotten.
 */
public abstract class ArgumentConformance extends JCacheConformance {
    private static final CompletionListener COMPLETION = new CompletionListenerFuture();

    @Test
    void nullWithinABulkArgument_isANullPointerExceptionAndChangesNothing() {
        Cache<String, String> cache = createStrings();
        Map<String, @Nullable String> nullValue = new HashMap<>(Map.of("a", "1"));
        nullValue.put("b", null);
        Map<@Nullable String, String> nullKey = new HashMap<>(Map.of("a", "1"));
        nullKey.put(null, "2");
        Set<@Nullable String> nullInSet = new HashSet<@Nullable String>(Arrays.<@Nullable String>asList("a", null));

        assertNullPointer(() -> cache.putAll(nullValue));
        assertNullPointer(() -> cache.putAll(nullKey));
        assertNullPointer(() -> cache.getAll(nullInSet));
        assertNullPointer(() -> cache.removeAll(nullInSet));
        assertNullPointer(() -> cache.loadAll(nullInSet, true, null));
        assertNullPointer(() -> cache.<Boolean>invokeAll(nullInSet, (entry, arguments) -> true));
        assertThat(cache).isEmpty();
    }

    @Test
    void emptyBulkArguments_doNothing() {
        Cache<String, String> cache = createStrings();
        cache.put("k", "v");
        cache.putAll(Map.of());
        cache.removeAll(Set.of());
        cache.loadAll(Set.of(), true, null);
        assertThat(cache.getAll(Set.of())).isEmpty();
        assertThat(cache.<Boolean>invokeAll(Set.of(), (entry, arguments) -> true))
                .isEmpty();
        assertThat(cache.get("k")).isEqualTo("v");
    }

    private static void assertNullPointer(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(NullPointerException.class);
    }

    private static @Nullable Object[] arguments(Method method) {
        List<@Nullable Object> arguments = new ArrayList<>();
        for (Class<?> type : method.getParameterTypes()) {
            arguments.add(argument(method, type));
        }
        return arguments.toArray();
    }

    private static Object argument(Method method, Class<?> type) {
        if (type == Class.class) {
            return switch (method.getName()) {
                case "unwrap" -> method.getDeclaringClass();
                case "getConfiguration" -> CompleteConfiguration.class;
                default -> String.class;
            };
        }
        if (type == boolean.class) {
            return true;
        }
        if (type == Object.class || type == String.class) {
            return "k";
        }
        if (type == Object[].class) {
            return new Object[0];
        }
        if (type == Set.class) {
            return Collections.singleton("k");
        }
        if (type == Map.class) {
            return Map.of("k", "v");
        }
        if (type == EntryProcessor.class) {
            EntryProcessor<String, String, Boolean> processor = (entry, arguments) -> true;
            return processor;
        }
        if (type == CompletionListener.class) {
            return COMPLETION;
        }
        if (type == CacheEntryListenerConfiguration.class) {
            return new RecordingListener<String, String>().synchronous();
        }
        if (type == Configuration.class) {
            return strings();
        }
        throw new AssertionError("No argument of type %s for %s: add one here".formatted(type, method));
    }
}
