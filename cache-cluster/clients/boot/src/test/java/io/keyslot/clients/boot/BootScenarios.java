// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.boot;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.keyslot.clients.boot.BookShop.Book;
import io.keyslot.clients.boot.BookShop.Shelf;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.context.ConfigurableApplicationContext;

/** An application of Spring Boot with {@code spring.cache.type=jcache}. The subclasses say which engine it uses. */
@SuppressWarnings("NullAway.Init") // set before all tests
abstract class BootScenarios {
    private static final int CALLERS = 16;

    /** One for all tests of a class. */
    private static ConfigurableApplicationContext application;

    private Books books;
    private int callsBefore;

    static void use(ConfigurableApplicationContext started) {
        application = started;
    }

    @AfterAll
    static void closeApplication() {
        application.close();
    }

    @BeforeEach
    void emptyCaches() {
        books = application.getBean(Books.class);
        CacheManager manager = application.getBean(CacheManager.class);
        manager.getCacheNames().forEach(name -> cache(name).clear());
        callsBefore = books.calls();
    }

    @Test
    void recordOfTheApplication_isCached() {
        Book first = books.find(7);

        assertThat(books.find(7)).isEqualTo(first).isNotNull();
        assertThat(calls()).isEqualTo(1);
    }

    @Test
    void synchronisedMethod_isCalledOnceForSixteenCallers() throws Exception {
        List<Book> found = atOnce(() -> books.findOnce(7));

        assertThat(found).hasSize(CALLERS).containsOnly(found.get(0));
        assertThat(calls()).isEqualTo(1);
    }

    @Test
    void nullAndEmpty_areCached() {
        assertThat(books.findNone("x")).isNull();
        assertThat(books.findNone("x")).isNull();
        assertThat(books.findOptional("y")).isEmpty();
        assertThat(books.findOptional("y")).isEmpty();

        assertThat(calls()).isEqualTo(2);
    }

    @Test
    void keysOfSeveralAndOfNoArguments_areToldApart() {
        books.shelf(Shelf.NOVELS, "de", 1);
        books.shelf(Shelf.NOVELS, "de", null);
        books.shelf(Shelf.POEMS, "de", 1);
        books.all();
        assertThat(calls()).isEqualTo(5);

        assertThat(books.shelf(Shelf.NOVELS, "de", null).get(0).title()).isEqualTo("NOVELSdenull");
        assertThat(books.shelf(Shelf.POEMS, "de", 1).get(0).title()).isEqualTo("POEMSde1");
        assertThat(books.all()).hasSize(2);
        assertThat(calls()).isEqualTo(5);
    }

    @Test
    void cachePut_replacesTheValue() {
        books.find(7);
        Book written = new Book(7, "written", LocalDate.EPOCH, List.of());

        books.store(written);

        assertThat(books.find(7)).isEqualTo(written);
        assertThat(calls()).isEqualTo(2);
    }

    @Test
    void cacheEvict_removesOneEntry_orAll() {
        books.find(7);
        books.find(8);
        books.all();

        books.remove(7);
        books.find(7);
        books.find(8);
        assertThat(calls()).as("7 again").isEqualTo(6);

        books.removeAll();
        books.find(7);
        books.find(8);
        books.all();
        assertThat(calls())
                .as("7 and 8 again, and the other cache is as it was")
                .isEqualTo(9);
    }

    @Test
    void putIfAbsent_hasOneWinner() throws Exception {
        Cache cache = cache("books");

        List<Boolean> won =
                atOnce(() -> cache.putIfAbsent("title", Thread.currentThread().getName()) == null);

        assertThat(won).filteredOn(Boolean::booleanValue).hasSize(1);
    }

    @Test
    void exceptionOfAMethod_isAValue() {
        Exception failure = new IllegalStateException("out of print", new IOException("no paper"));

        cache("failures").put("failure", failure);

        assertThat(cache("failures").get("failure", Exception.class))
                .hasMessage("out of print")
                .hasRootCauseMessage("no paper")
                .hasStackTraceContaining("exceptionOfAMethod_isAValue");
    }

    @Test
    void requests_areAnsweredFromTheCache() throws Exception {
        assertThat(get("/books/21").body()).isEqualTo("found");
        assertThat(get("/books/21").body()).isEqualTo("found");

        assertThat(calls()).isEqualTo(1);
    }

    @Test
    void actuator_showsHealthCachesAndMeters() throws Exception {
        get("/books/22");

        assertThat(get("/actuator/health").body()).contains("UP");
        assertThat(get("/actuator/caches").body()).contains("books", "bestsellers", "shelves");
        String scrape = get("/actuator/prometheus").body();
        assertThat(scrape).contains("keyslot_command_seconds_count", "# TYPE cache_removals gauge");
        assertThat(scrape.lines()
                        .filter(line -> line.startsWith("cache_gets_total{cache=\"books\""))
                        .filter(line -> line.contains("result=\"miss\"")))
                .singleElement(as(STRING))
                .doesNotEndWith(" 0.0");
    }

    static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        String port = Objects.requireNonNull(application.getEnvironment().getProperty("local.server.port"));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    private int calls() {
        return books.calls() - callsBefore;
    }

    private static Cache cache(String name) {
        return Objects.requireNonNull(application.getBean(CacheManager.class).getCache(name));
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
}
