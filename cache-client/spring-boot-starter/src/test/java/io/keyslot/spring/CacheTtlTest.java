// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.config.ConfigurationException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.CachingConfigurer;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.interceptor.CacheResolver;
import org.springframework.cache.interceptor.SimpleCacheResolver;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** What stands on a method is obeyed, or stops the start. */
class CacheTtlTest {
    /** An application with partitions in its process. */
    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Application {}

    /** One that finds its caches in its own way. */
    @Configuration(proxyBeanMethods = false)
    static class WithResolver {
        @Bean
        CachingConfigurer configurer(javax.cache.CacheManager manager) {
            CacheManager caches = new FailSafeCacheManager(manager, new String[0], null, new StandardEnvironment());
            return new CachingConfigurer() {
                @Override
                public CacheResolver cacheResolver() {
                    return new SimpleCacheResolver(caches);
                }
            };
        }
    }

    interface Shelf {
        @Cacheable("books")
        @CacheTtl("10m")
        String find(long id);
    }

    /** Is proxied by its interface. */
    static final class Books implements Shelf {
        private int calls;

        @Override
        public String find(long id) {
            calls++;
            return id + " for the " + calls;
        }
    }

    /** Each is a mistake. */
    static class Mistakes {
        @Cacheable("books")
        @CacheTtl("10 parsecs")
        public String wrong(long id) {
            return "";
        }

        @CacheTtl("10m")
        public String stores(long nothing) {
            return "";
        }

        @CacheEvict("books")
        @CacheTtl("10m")
        public void evicts(long id) {}

        @CachePut(cacheNames = "books", cacheManager = "other")
        @CacheTtl("10m")
        public String elsewhere(long id) {
            return "";
        }

        @Cacheable("books")
        @CacheTtl("${nobody}")
        public String unknown(long id) {
            return "";
        }
    }

    private static AnnotationConfigApplicationContext start(Class<?>... parts) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("given", Map.of("keyslot.caches.books.ttl", "1h")));
        context.register(parts);
        context.register(KeyslotAutoConfiguration.class);
        context.refresh();
        return context;
    }

    @Test
    void annotationOfTheInterface_isObeyed() {
        try (AnnotationConfigApplicationContext context = start(Application.class, Books.class)) {
            assertExpires(context);
        }
    }

    @Test
    void resolverOfTheApplication_isKept() {
        try (AnnotationConfigApplicationContext context = start(Application.class, WithResolver.class, Books.class)) {
            assertExpires(context);
        }
    }

    @Test
    void putIfAbsent_livesAsLongAsTheMethodSays() {
        try (AnnotationConfigApplicationContext context = start(Application.class)) {
            FailSafeCache cache = (FailSafeCache)
                    Objects.requireNonNull(context.getBean(CacheManager.class).getCache("books"));

            assertThat(cache.livingFor(Duration.ofMinutes(10)).putIfAbsent(1L, "a"))
                    .isNull();

            PartitionedCache<?, ?> books =
                    ((javax.cache.Cache<?, ?>) cache.getNativeCache()).unwrap(PartitionedCache.class);
            assertThat(timeToLive(books)).isBetween(Duration.ofMinutes(8), Duration.ofMinutes(10));
        }
    }

    @Test
    void methodsThatAreCalledAfterTheEnd_doTheirWork() {
        AnnotationConfigApplicationContext context = start(Application.class, Books.class);
        Shelf shelf = context.getBean(Shelf.class);
        shelf.find(1);
        context.close();

        assertThat(shelf.find(1)).isEqualTo("1 for the 2");
        assertThat(shelf.find(2)).isEqualTo("2 for the 3");
    }

    /** What is loaded may live up to a tenth shorter. */
    private static void assertExpires(AnnotationConfigApplicationContext context) {
        context.getBean(Shelf.class).find(1);
        PartitionedCache<?, ?> books = Objects.requireNonNull(
                        context.getBean(javax.cache.CacheManager.class).getCache("books"))
                .unwrap(PartitionedCache.class);

        assertThat(timeToLive(books)).isBetween(Duration.ofMinutes(8), Duration.ofMinutes(10));
    }

    @SuppressWarnings("unchecked") // Spring makes the keys of this cache
    private static @Nullable Duration timeToLive(PartitionedCache<?, ?> books) {
        return ((PartitionedCache<Object, ?>) books).explain(1L).timeToLive();
    }

    @Test
    void whatCannotBeObeyed_stopsTheStart_allAtOnce() {
        assertThatThrownBy(() -> start(Application.class, Mistakes.class))
                .isInstanceOfSatisfying(
                        ConfigurationException.class,
                        failure -> assertThat(failure.problems())
                                .hasSize(5)
                                .anySatisfy(problem ->
                                        assertThat(problem).contains("wrong", "10 parsecs", "must be a duration"))
                                .anySatisfy(problem -> assertThat(problem).contains("stores", "stores nothing"))
                                .anySatisfy(problem -> assertThat(problem).contains("evicts", "stores nothing"))
                                .anySatisfy(problem -> assertThat(problem).contains("elsewhere", "cacheManager"))
                                .anySatisfy(problem -> assertThat(problem).contains("unknown", "${nobody}")));
    }

    @Test
    void applicationThatDoesNotCache_starts() {
        try (AnnotationConfigApplicationContext context = start(Mistakes.class)) {
            assertThat(context.getBean(CacheManager.class)).isInstanceOf(FailSafeCacheManager.class);
        }
    }
}
