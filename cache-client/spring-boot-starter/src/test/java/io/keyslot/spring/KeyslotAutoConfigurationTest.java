// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.cache.feed.FeedBatch;
import io.keyslot.cache.feed.FeedChange;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.unit.DataSize;

class KeyslotAutoConfigurationTest {
    record Book(String title) {}

    private static AnnotationConfigApplicationContext context(Map<String, Object> settings) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", settings));
        AutoConfigurationPackages.register(context, Book.class.getPackageName());
        context.register(KeyslotAutoConfiguration.class);
        context.refresh();
        return context;
    }

    private static Cache<Object, Object> books(AnnotationConfigApplicationContext context) {
        return context.getBean(javax.cache.CacheManager.class).getCache("books");
    }

    @Test
    void valuesOfTheApplicationsPackages_areAllowed_andOthersAreNot_asOnServers() {
        try (AnnotationConfigApplicationContext context = context(Map.of("keyslot.caches.books.ttl", "1m"))) {
            Cache<Object, Object> books = books(context);

            books.put("own", new Book("Emma"));

            assertThat(books.get("own")).isEqualTo(new Book("Emma"));
            assertThatThrownBy(() -> books.put("other", DataSize.ofBytes(9)))
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("codec.allow: [ \"org.springframework.util.unit.DataSize\" ]");
        }
    }

    @Test
    void packagesAreAllowedInAdditionToTheSetting() {
        try (AnnotationConfigApplicationContext context = context(Map.of(
                "keyslot.caches.books.ttl", "1m", "keyslot.codec.allow", "org.springframework.util.unit.DataSize"))) {
            Cache<Object, Object> books = books(context);

            books.put("own", new Book("Emma"));
            books.put("other", DataSize.ofBytes(9));

            assertThat(books.get("other")).isEqualTo(DataSize.ofBytes(9));
        }
    }

    /** An application that has used another JCache provider has {@code jcache}, and must not lose what the starter does. */
    @ParameterizedTest
    @CsvSource({
        "keyslot, , true",
        "jcache, , true",
        "JCACHE, io.keyslot.client.jcache.KeyslotCachingProvider, true",
        "jcache, com.acme.OtherProvider, false",
        "none, , false"
    })
    void springsCacheManager_isThatOfTheStarter_unlessAnotherIsAskedFor(String type, String provider, boolean isOurs) {
        Map<String, Object> settings = provider == null
                ? Map.of("spring.cache.type", type)
                : Map.of("spring.cache.type", type, "spring.cache.jcache.provider", provider);
        try (AnnotationConfigApplicationContext context = context(settings)) {
            assertThat(context.getBeanProvider(FailSafeCacheManager.class).getIfAvailable() != null)
                    .isEqualTo(isOurs);
        }
    }

    static final class Search {
        private final CompletableFuture<FeedChange<?, ?>> first = new CompletableFuture<>();

        @FeedListener(cache = "${search.cache}", group = "search")
        void index(FeedBatch<Object, Book> batch) {
            batch.changes().forEach(first::complete);
        }
    }

    @Test
    void feedListener_getsTheChangesOfItsCache() throws Exception {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource(
                            "test", Map.of("keyslot.caches.books.feed.values", "true", "search.cache", "books")));
            AutoConfigurationPackages.register(context, Book.class.getPackageName());
            context.register(KeyslotAutoConfiguration.class, Search.class);
            context.refresh();

            books(context).put("own", new Book("Emma"));

            FeedChange<?, ?> change = context.getBean(Search.class).first.get(30, TimeUnit.SECONDS);
            assertThat(change.key()).isEqualTo("own");
            assertThat(change.value()).isEqualTo(new Book("Emma"));
        }
    }
}
