// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.spi.CachingProvider;
import org.junit.jupiter.api.Test;

/** The life of providers, managers and caches. */
public abstract class LifeCycleConformance extends JCacheConformance {
    @Test
    void closedCache_isNoLongerOneOfTheManager() {
        createStrings().close();
        assertThat(manager.getCacheNames()).isEmpty();
        assertThat(manager.<String, String>getCache(NAME)).isNull();
    }

    @Test
    void destroyOfOneCache_leavesTheOthersAlone() {
        Cache<String, String> other = manager.createCache(NAME + "2", strings());
        other.put("k", "v");
        createStrings();
        manager.destroyCache(NAME);
        assertThat(other.get("k")).isEqualTo("v");
    }

    @Test
    @SuppressWarnings("unchecked")
    void configuration_isCopiedAtCreation() {
        MutableConfiguration<String, String> configuration = strings();
        Cache<String, String> cache = create(configuration);
        configuration.setStatisticsEnabled(true).setReadThrough(true);
        CompleteConfiguration<String, String> kept = cache.getConfiguration(CompleteConfiguration.class);
        assertThat(kept.isStatisticsEnabled()).isFalse();
        assertThat(kept.isReadThrough()).isFalse();
    }

    @Test
    void subclassOfTheConfiguration_isAccepted() {
        MutableConfiguration<String, String> configuration = new MutableConfiguration<>() {
            private static final long serialVersionUID = 1L;
        };
        assertThat(create(configuration.setTypes(String.class, String.class))).isEmpty();
    }

    @Test
    void configurationOfAnotherClass_isAnIllegalArgument() {
        Cache<String, String> cache = createStrings();
        assertThatThrownBy(() -> cache.getConfiguration(OtherConfiguration.class))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void threadsOfAProvider_endWhenItIsClosed() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        CachingProvider own = newProvider();
        CacheManager opened = own.getCacheManager(null, null, managerProperties());
        Cache<String, String> cache = opened.createCache(NAME, strings());
        cache.putAll(Map.of("a", "1", "b", "2", "c", "3"));
        cache.loadAll(Set.of("a"), false, null);
        opened.destroyCache(NAME);
        own.close();
        await("end of the provider's threads")
                .atMost(10, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> !before.contains(thread) && thread.isAlive())
                                .map(Thread::getName)
                                .filter(name -> !name.startsWith("awaitility"))
                                .filter(name -> !name.startsWith("ForkJoinPool.commonPool"))
                                .collect(Collectors.toList()))
                        .isEmpty());
    }

    private CachingProvider newProvider() {
        try {
            return provider.getClass().getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("The provider has no public constructor", e);
        }
    }

    private static final class OtherConfiguration extends MutableConfiguration<String, String> {
        private static final long serialVersionUID = 1L;
    }
}
