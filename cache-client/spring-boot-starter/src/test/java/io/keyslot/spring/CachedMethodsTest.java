// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.config.ConfigurationException;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;

/** Bulk methods, and return types that cannot be stored. */
class CachedMethodsTest {
    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Application {}

    record Book(String title) {}

    record Loan(Book book) {}

    /** Each returns what cannot be stored, but the last two. */
    static class Loans {
        @Cacheable("loans")
        public Loan find(long id) {
            throw new IllegalStateException();
        }

        @CachePut("loans")
        public CompletableFuture<List<Loan>> findLater(long id) {
            throw new IllegalStateException();
        }

        @Cacheable("numbers")
        public String wrongType(long id) {
            throw new IllegalStateException();
        }

        @Cacheable("numbers")
        public int count(long id) {
            throw new IllegalStateException();
        }

        @Cacheable("loans")
        public @Nullable Object anything(long id) {
            throw new IllegalStateException();
        }
    }

    static class Mistakes {
        @BulkCacheable("books")
        public List<String> list(Collection<Long> ids) {
            return List.of();
        }

        @BulkCacheEvict("books")
        public void one(long id) {}
    }

    private static AnnotationConfigApplicationContext start(Map<String, Object> settings, Class<?>... parts) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("given", settings));
        context.register(parts);
        context.register(Application.class, KeyslotAutoConfiguration.class);
        context.refresh();
        return context;
    }

    @Test
    void bulkMethodOfAnotherForm_stopsTheStart() {
        assertThatThrownBy(() -> start(Map.of(), Mistakes.class))
                .isInstanceOfSatisfying(
                        ConfigurationException.class,
                        failure -> assertThat(failure.problems())
                                .hasSize(2)
                                .anyMatch(problem -> problem.startsWith("@BulkCacheable of "))
                                .anyMatch(problem -> problem.startsWith("@BulkCacheEvict of ")));
    }

    private static final Map<String, Object> NOT_ALLOWED = Map.of(
            "keyslot.caches.numbers.value-type", "java.lang.Integer",
            "keyslot.codec.allow", "com.acme.**");

    @Test
    void returnTypesThatCannotBeStored_stopTheStart_ifThatIsConfigured() {
        assertThatThrownBy(() -> {
                    Map<String, Object> settings = new LinkedHashMap<>(NOT_ALLOWED);
                    settings.put(CachedMethods.STRICT, "true");
                    start(settings, Loans.class);
                })
                .isInstanceOfSatisfying(
                        ConfigurationException.class,
                        failure -> assertThat(failure.problems())
                                .hasSize(3)
                                .anyMatch(problem ->
                                        problem.contains("Loans.find ") && problem.contains(Book.class.getName()))
                                .anyMatch(problem -> problem.contains("Loans.findLater "))
                                .anyMatch(problem ->
                                        problem.contains("Loans.wrongType ") && problem.contains("Integer")));
    }

    @Test
    void methodThatReturnsAFuture_isCalledForAMissingValue_andWithoutTheCacheIfThereIsNoThread() {
        try (AnnotationConfigApplicationContext context = start(Map.of(), Application.class)) {
            FailSafeCacheManager caches = context.getBean(FailSafeCacheManager.class);
            FailSafeCache cache = (FailSafeCache) Objects.requireNonNull(caches.getCache("books"));
            Supplier<CompletableFuture<String>> failing =
                    () -> CompletableFuture.failedFuture(new IOException("no paper"));

            assertThat(cache.retrieve(1L).join()).isNull();
            assertThat(cache.retrieve(1L, () -> CompletableFuture.completedFuture("a"))
                            .join())
                    .isEqualTo("a");
            assertThat(cache.retrieve(1L, failing).join()).isEqualTo("a");
            assertThat(cache.retrieve(1L).join())
                    .isInstanceOfSatisfying(
                            Cache.ValueWrapper.class,
                            wrapper -> assertThat(wrapper.get()).isEqualTo("a"));
            assertThatThrownBy(() -> cache.retrieve(2L, failing).join()).hasRootCauseInstanceOf(IOException.class);

            caches.close();
            assertThat(cache.retrieve(2L, () -> CompletableFuture.completedFuture("b"))
                            .join())
                    .isEqualTo("b");
            assertThat(cache.retrieve(2L).join()).isNull();
        }
    }

    @Test
    void returnTypesThatCannotBeStored_areAWarning() {
        try (AnnotationConfigApplicationContext context = start(NOT_ALLOWED, Loans.class)) {
            assertThat(context.getBean(Loans.class)).isNotNull();
        }
    }

    @ContextConfiguration(classes = {Application.class, KeyslotAutoConfiguration.class, Loans.class})
    @TestPropertySource(properties = "keyslot.codec.allow=com.acme.**")
    private static final class TestOfAnApplication {}

    @TestPropertySource(properties = "keyslot.require-storable=false")
    @ContextConfiguration(classes = {Application.class, KeyslotAutoConfiguration.class, Loans.class})
    private static final class LenientTestOfAnApplication {}

    /** What SpringExtension does for a test class. */
    private static ApplicationContext contextOf(Class<?> test) {
        return new TestContextManager(test).getTestContext().getApplicationContext();
    }

    @Test
    void returnTypesThatCannotBeStored_failATestOfSpring_unlessItSaysOtherwise() {
        assertThatThrownBy(() -> contextOf(TestOfAnApplication.class))
                .hasRootCauseInstanceOf(ConfigurationException.class)
                .rootCause()
                .hasMessageContaining("Loans.find ")
                .hasMessageContaining("set keyslot.require-storable to false to be warned only");
        assertThat(contextOf(LenientTestOfAnApplication.class).getBean(Loans.class))
                .isNotNull();
    }
}
