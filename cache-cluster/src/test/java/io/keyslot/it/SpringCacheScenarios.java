// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A Spring Boot application with {@code spring.cache.type=jcache}. The subclasses say which engine it uses. */
@SuppressWarnings("NullAway.Init") // set before each test
abstract class SpringCacheScenarios {
    private static final int CALLERS = 16;

    private ConfigurableApplicationContext context;
    private Books books;
    private Cache cache;

    /** Returns where the application finds its configuration, as the value of {@code spring.cache.jcache.config}. */
    abstract String configuration();

    @BeforeEach
    void startApplication() {
        SpringApplication application = new SpringApplication(Application.class);
        application.setDefaultProperties(Map.of(
                "spring.cache.type", "jcache",
                "spring.cache.jcache.config", configuration(),
                "spring.cache.cache-names", "books",
                "spring.main.banner-mode", "off",
                "spring.main.web-application-type", "none"));
        context = application.run();
        books = context.getBean(Books.class);
        cache = Objects.requireNonNull(context.getBean(CacheManager.class).getCache("books"));
        cache.clear();
    }

    @AfterEach
    void endApplication() {
        context.close();
    }

    @Test
    void synchronisedMethod_isCalledOnceForSixteenCallers() throws Exception {
        List<Book> found = atOnce(() -> books.find("keys"));
        assertThat(new HashSet<>(found)).containsExactly(new Book("keys"));
        assertThat(books.calls()).isEqualTo(1);
    }

    @Test
    void putIfAbsent_hasOneWinner() throws Exception {
        AtomicInteger number = new AtomicInteger();
        List<Boolean> won = atOnce(() -> cache.putIfAbsent("title", number.incrementAndGet()) == null);
        assertThat(won).filteredOn(Boolean::booleanValue).hasSize(1);
    }

    @Test
    void nullValue_isCached() {
        assertThat(books.findNone("title")).isNull();
        assertThat(books.findNone("title")).isNull();
        assertThat(books.calls()).isEqualTo(1);
        Cache.ValueWrapper wrapper = cache.get("title");
        assertThat(wrapper).isNotNull();
        assertThat(wrapper.get()).isNull();
    }

    @Test
    void methodWithoutArguments_isCached() {
        assertThat(books.all()).isEqualTo(books.all());
        assertThat(books.calls()).isEqualTo(1);
    }

    @Test
    void methodWithSeveralArguments_isCachedForEachCombination() {
        assertThat(books.findEdition("a", 1)).isEqualTo(books.findEdition("a", 1));
        assertThat(books.calls()).isEqualTo(1);
        assertThat(books.findEdition("a", 2)).isNotEqualTo(books.findEdition("a", 1));
        assertThat(books.calls()).isEqualTo(2);
    }

    private static <T> List<T> atOnce(Callable<T> call) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(CALLERS);
        try {
            CyclicBarrier start = new CyclicBarrier(CALLERS);
            List<Callable<T>> calls = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                calls.add(() -> {
                    start.await(1, TimeUnit.MINUTES);
                    return call.call();
                });
            }
            List<T> results = new ArrayList<>();
            for (Future<T> result : executor.invokeAll(calls, 1, TimeUnit.MINUTES)) {
                results.add(result.get());
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }

    record Book(String title) implements Serializable {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCaching
    static class Application {
        @Bean
        Books books() {
            return new Books();
        }
    }

    /** A service of the application. Not final: Spring makes a subclass of it. */
    static class Books {
        private final AtomicInteger calls = new AtomicInteger();

        /** By a method, as the fields of the subclass are not these. */
        public int calls() {
            return calls.get();
        }

        @Cacheable(cacheNames = "books", sync = true)
        public Book find(String title) {
            calls.incrementAndGet();
            return new Book(title);
        }

        @Cacheable("books")
        public @Nullable Book findNone(String title) {
            calls.incrementAndGet();
            return null;
        }

        @Cacheable("books")
        public Set<Book> all() {
            calls.incrementAndGet();
            return Set.of(new Book("a"), new Book("b"));
        }

        @Cacheable("books")
        public Book findEdition(String title, int edition) {
            calls.incrementAndGet();
            return new Book(title + " " + edition);
        }
    }
}
