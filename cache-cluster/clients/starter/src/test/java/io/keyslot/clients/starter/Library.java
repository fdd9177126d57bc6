// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.starter;

import io.keyslot.spring.BulkCacheEvict;
import io.keyslot.spring.BulkCacheable;
import io.keyslot.spring.CacheTtl;
import io.keyslot.spring.EntryLifetime;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** A web application with a store of its own, and the starter in front of it. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableCaching
public class Library {
    /** Called by Spring. */
    public Library() {}

    /** For Spring's AOT step, which finds out what the application consists of. */
    public static void main(String[] arguments) {
        SpringApplication.run(Library.class, arguments);
    }

    /** Starts the application on these servers. */
    static ConfigurableApplicationContext start(List<String> uris, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.main.banner-mode=off",
                "--server.port=0",
                "--logging.level.root=warn",
                "--management.endpoints.web.exposure.include=*",
                "--management.endpoint.health.show-details=always",
                "--management.endpoint.health.probes.enabled=true",
                "--keyslot.startup.wait=10s",
                "--keyslot.deadlines.connect=5s"));
        for (int i = 0; i < uris.size(); i++) {
            arguments.add("--keyslot.partitions[%d]=%s".formatted(i, uris.get(i)));
        }
        arguments.addAll(List.of(more));
        return new SpringApplication(Library.class).run(arguments.toArray(String[]::new));
    }

    @Bean
    Books books() {
        return new Books();
    }

    /** How long an entry lives can depend on its cache, its key and its value. */
    @Bean
    EntryLifetime lifetime() {
        return (cache, key, value) -> {
            if (cache.equals("timed") && "rare".equals(value)) {
                return Duration.ofHours(5);
            }
            return cache.equals("brief") && "short".equals(value) ? Duration.ofMillis(50) : null;
        };
    }

    /** What is stored elsewhere, and cached here. Not final: Spring makes a subclass of it. */
    public static class Books {
        private final Map<Long, Integer> editions = new ConcurrentHashMap<>();
        private final AtomicInteger calls = new AtomicInteger();

        /** Called by Spring. */
        public Books() {}

        public int calls() {
            return calls.get();
        }

        @Cacheable("books")
        public String find(long id) {
            return edition(id);
        }

        @Cacheable(cacheNames = "bestsellers", sync = true)
        public String findOnce(long id) {
            return edition(id);
        }

        @Cacheable(cacheNames = "slow", sync = true)
        public String findSlowly(long id) throws InterruptedException {
            Thread.sleep(1_000);
            return edition(id);
        }

        @Cacheable("books")
        public CompletableFuture<String> findLater(long id) {
            return CompletableFuture.completedFuture(edition(id));
        }

        @Cacheable("books")
        public Mono<String> findMono(long id) {
            return Mono.fromSupplier(() -> edition(id));
        }

        @Cacheable(cacheNames = "bestsellers", sync = true)
        public CompletableFuture<String> findLaterOnce(long id) {
            return CompletableFuture.completedFuture(edition(id));
        }

        @Cacheable("typed")
        public String typed(long id) {
            return edition(id);
        }

        @Cacheable("typed")
        public String typed(long id, String language) {
            return edition(id) + language;
        }

        @Cacheable("typed")
        public @Nullable String typedNone(long id) {
            calls.incrementAndGet();
            return null;
        }

        @Cacheable("books")
        public @Nullable String findNone(String title) {
            calls.incrementAndGet();
            return null;
        }

        @Cacheable("failing")
        public String failing(long id) {
            throw new IllegalStateException("out of print " + id);
        }

        @Cacheable(cacheNames = "failing", sync = true)
        public String failingOnce(long id) {
            throw new IllegalStateException("out of print " + id);
        }

        @CacheEvict(
                cacheNames = {"books", "bestsellers"},
                key = "#p0")
        public void reprint(long id) {
            editions.merge(id, 1, Integer::sum);
        }

        @CacheEvict(cacheNames = "books", allEntries = true)
        public void evictAll() {
            editions.replaceAll((id, edition) -> edition + 1);
        }

        @BulkCacheable("books")
        public Map<Long, String> findAll(Collection<Long> ids) {
            return ids.stream().collect(Collectors.toMap(id -> id, this::edition));
        }

        @BulkCacheEvict("books")
        public void reprintAll(Collection<Long> ids) {
            ids.forEach(id -> editions.merge(id, 1, Integer::sum));
        }

        @Cacheable("timed")
        @CacheTtl("10m")
        public String findForTenMinutes(long id) {
            return edition(id);
        }

        @Cacheable(cacheNames = "timed", sync = true)
        @CacheTtl("10m")
        public String findOnceForTenMinutes(long id) {
            return edition(id);
        }

        @Cacheable("timed")
        @CacheTtl("10m")
        public CompletableFuture<String> findLaterForTenMinutes(long id) {
            return CompletableFuture.completedFuture(edition(id));
        }

        @Cacheable(cacheNames = "timed", sync = true)
        @CacheTtl("10m")
        public CompletableFuture<String> findLaterOnceForTenMinutes(long id) {
            return CompletableFuture.completedFuture(edition(id));
        }

        @CachePut("timed")
        @CacheTtl("${library.brief:10m}")
        public String print(long id) {
            return edition(id);
        }

        @Brief
        public @Nullable String findNoneForTenMinutes(long id) {
            return null;
        }

        @Cacheable("timed")
        @CacheTtl("10m")
        public String findRare(long id) {
            return "rare";
        }

        @Cacheable("timed")
        public String findForTheTimeOfTheCache(long id) {
            return edition(id);
        }

        int editionOf(long id) {
            return editions.getOrDefault(id, 0);
        }

        private String edition(long id) {
            calls.incrementAndGet();
            return id + " in edition " + editionOf(id);
        }
    }

    /** What is cached briefly, in one word. */
    @Cacheable("timed")
    @CacheTtl("10m")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Brief {}

    @RestController
    static final class Desk {
        private final Books books;

        Desk(Books books) {
            this.books = books;
        }

        @GetMapping("/books/{id}")
        String find(@PathVariable("id") long id) {
            return books.find(id);
        }

        @GetMapping("/bestsellers/{id}")
        String findOnce(@PathVariable("id") long id) {
            return books.findOnce(id);
        }

        @PostMapping("/books/{id}")
        void reprint(@PathVariable("id") long id) {
            books.reprint(id);
        }
    }
}
