// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.spi.CachingProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What the conformance tests of one engine share: a cache manager for each test, opened as an application opens it.
 *
 * <p>The subclasses have one test for each rule of JSR-107 1.1 that its own test kit leaves out. Where the specification
 * leaves a choice, they expect what the reference implementation does. {@code docs/contributing/jcache-conformance.md} lists them.
 */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class JCacheConformance {
    static final String NAME = "conformance";

    private final List<CacheManager> opened = new ArrayList<>();
    private Engine engine;

    CachingProvider provider;
    CacheManager manager;

    /** What a class with conformance tests within it says: how the partitions of a manager are reached. */
    @FunctionalInterface
    public interface Engine {
        Properties properties();
    }

    @RegisterExtension
    final BeforeEachCallback engineOfTheClassAround = context -> engine =
            context.getRequiredTestInstances().findInstance(Engine.class).orElseThrow();

    @BeforeEach
    final void openManager() {
        provider = Caching.getCachingProvider();
        manager = managerOf(getClass().getClassLoader());
        manager.createCache(NAME, strings());
        manager.destroyCache(NAME); // a test that closed its cache has left entries on the servers
    }

    @AfterEach
    final void closeManagers() {
        for (CacheManager each : opened) {
            if (!each.isClosed()) {
                List<String> names = new ArrayList<>();
                each.getCacheNames().forEach(names::add);
                names.forEach(each::destroyCache);
                each.close();
            }
        }
    }

    /** Returns the manager of a class loader; it is closed, and its caches are destroyed, after the test. */
    final CacheManager managerOf(ClassLoader classLoader) {
        CacheManager opening = provider.getCacheManager(provider.getDefaultURI(), classLoader, engine.properties());
        opened.add(opening);
        return opening;
    }

    final Properties managerProperties() {
        return engine.properties();
    }

    final <K, V> Cache<K, V> create(MutableConfiguration<K, V> configuration) {
        return manager.createCache(NAME, configuration);
    }

    /** Creates a cache of strings, as most tests need it. */
    final Cache<String, String> createStrings() {
        return create(strings());
    }

    static MutableConfiguration<String, String> strings() {
        return new MutableConfiguration<String, String>().setTypes(String.class, String.class);
    }

    static MutableConfiguration<String, Integer> numbers() {
        return new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class);
    }
}
