// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import javax.cache.CacheException;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/** The classes that a configuration file names, and their instances. */
final class ConfiguredClasses {
    private final String origin;
    private final ClassLoader classLoader;

    ConfiguredClasses(String origin, ClassLoader classLoader) {
        this.origin = origin;
        this.classLoader = classLoader;
    }

    Class<?> named(String cache, String setting, @Nullable String className) {
        if (className == null) {
            return Object.class;
        }
        try {
            return Class.forName(className, false, classLoader);
        } catch (ClassNotFoundException e) {
            throw new CacheException(
                    "%s: caches.%s.%s is %s, which is not on the class path of the cache manager"
                            .formatted(origin, cache, setting, className),
                    e);
        }
    }

    @SuppressWarnings("unchecked") // the file promises a loader for the cache's types
    <K, V> CacheLoader<K, V> loaderOf(String cache, Class<?> type) {
        return (CacheLoader<K, V>) newInstance(cache, "loader", type, CacheLoader.class);
    }

    @SuppressWarnings("unchecked") // the file promises a writer for the cache's types
    <K, V> CacheWriter<K, V> writerOf(String cache, Class<?> type) {
        return (CacheWriter<K, V>) newInstance(cache, "writer", type, CacheWriter.class);
    }

    private Object newInstance(String cache, String setting, Class<?> type, Class<?> expected) {
        try {
            return expected.cast(type.getConstructor().newInstance());
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new CacheException(
                    "%s: caches.%s.%s is %s, of which no object could be made"
                            .formatted(origin, cache, setting, type.getName()),
                    e);
        }
    }
}
