// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.integration.CompletionListener;
import javax.cache.integration.CompletionListenerFuture;
import javax.cache.processor.EntryProcessor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every method with a null argument, and on a closed cache or manager. The methods are found by reflection, so that none
 * is forgotten.
 */
public abstract class ArgumentConformance extends JCacheConformance {
    /** What a closed cache still answers. */
    private static final Set<String> OF_CLOSED_CACHES = Set.of(
            "getName", "getCacheManager", "isClosed", "close", "getConfiguration", "unwrap", "forEach", "spliterator");

    /** What a closed manager still answers. */
    private static final Set<String> OF_CLOSED_MANAGERS =
            Set.of("getURI", "getProperties", "getClassLoader", "getCachingProvider", "isClosed", "close", "unwrap");

    private static final CompletionListener COMPLETION = new CompletionListenerFuture();

    @TestFactory
    Stream<DynamicTest> nullArgumentOfACache_isANullPointerException() {
        return methodsOf(Cache.class)
                .flatMap(method -> positions(method)
                        .map(position -> dynamicTest(
                                method.getName() + Arrays.toString(method.getParameterTypes()) + " at " + position,
                                () -> inNewManager(() -> assertThat(
                                                thrownBy(createStrings(), method, withNullAt(method, position)))
                                        .isInstanceOf(NullPointerException.class)))));
    }

    @TestFactory
    Stream<DynamicTest> nullArgumentOfAManager_isANullPointerException() {
        return methodsOf(CacheManager.class)
                .flatMap(method -> positions(method)
                        .map(position -> dynamicTest(
                                method.getName() + Arrays.toString(method.getParameterTypes()) + " at " + position,
                                () -> inNewManager(
                                        () -> assertThat(thrownBy(manager, method, withNullAt(method, position)))
                                                .isInstanceOf(NullPointerException.class)))));
    }

    @TestFactory
    Stream<DynamicTest> closedCache_isAnIllegalState() {
        return methodsOf(Cache.class)
                .filter(method -> !OF_CLOSED_CACHES.contains(method.getName()))
                .map(method -> dynamicTest(
                        method.getName() + Arrays.toString(method.getParameterTypes()),
                        () -> inNewManager(() -> {
                            Cache<String, String> cache = createStrings();
                            cache.close();
                            assertThat(thrownBy(cache, method, arguments(method)))
                                    .isInstanceOf(IllegalStateException.class);
                        })));
    }

    @TestFactory
    Stream<DynamicTest> closedManager_isAnIllegalState() {
        return methodsOf(CacheManager.class)
                .filter(method -> !OF_CLOSED_MANAGERS.contains(method.getName()))
                .map(method -> dynamicTest(
                        method.getName() + Arrays.toString(method.getParameterTypes()),
                        () -> inNewManager(() -> {
                            manager.close();
                            assertThat(thrownBy(manager, method, arguments(method)))
                                    .isInstanceOf(IllegalStateException.class);
                        })));
    }

    @Test
    void illegalState_namesTheCache() {
        Cache<String, String> cache = createStrings();
        cache.close();
        assertThatThrownBy(() -> cache.get("k"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(NAME);
    }

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

    /** The tests of a factory share its set-up and tear-down; each of these needs its own. */
    private void inNewManager(Runnable test) {
        openManager();
        try {
            test.run();
        } finally {
            closeManagers();
        }
    }

    private static Stream<Method> methodsOf(Class<?> type) {
        // The generic bridges and what Iterable adds by default say nothing of their own.
        return Arrays.stream(type.getMethods()).filter(method -> !method.isBridge() && !method.isDefault());
    }

    /** Returns where null is not allowed: everywhere but for a completion listener and the arguments of a processor. */
    private static Stream<Integer> positions(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return Stream.iterate(0, index -> index < types.length, index -> index + 1)
                .filter(index -> !types[index].isPrimitive()
                        && types[index] != CompletionListener.class
                        && types[index] != Object[].class);
    }

    private static @Nullable Object[] withNullAt(Method method, int position) {
        @Nullable Object[] arguments = arguments(method);
        arguments[position] = null;
        return arguments;
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

    private static @Nullable Throwable thrownBy(Object target, Method method, @Nullable Object[] arguments) {
        try {
            method.invoke(target, arguments);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
