// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.starter;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.clients.starter.Library.Books;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * One of three servers is killed and comes back with what it had, while eight threads send requests: no request fails, and none
 * sees a book in an edition that is older than the last one it has heard of.
 */
class StarterOutageIT {
    private static final int THREADS = 8;

    /** Of each thread, which alone changes them: without sync, another one could put what it has read before. */
    private static final int BOOKS = 20;

    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final CountDownLatch over = new CountDownLatch(1);

    @Test
    void serverThatGoesAndComesBack_failsNoRequest_andNothingIsOutdated() throws Exception {
        ExecutorService readers = Executors.newFixedThreadPool(THREADS);
        try (LocalServers servers = LocalServers.create();
                ConfigurableApplicationContext application = Library.start(servers.start(3, "--save", "3600 1").stream()
                        .map(LocalServer::uri)
                        .toList())) {
            Books books = application.getBean(Books.class);
            PartitionedCacheManager manager = application.getBean(PartitionedCacheManager.class);
            Page page = new Page(application);
            List<Future<Integer>> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                long first = (long) i * BOOKS;
                threads.add(readers.submit(() -> readAndReprint(page, books, first)));
            }
            LocalServer second = servers.servers().get(1);

            TimeUnit.SECONDS.sleep(1);
            second.kill();
            await(() -> manager.partitions().get(1).state() == PartitionState.MISSING);
            HttpResponse<String> health = page.get("/actuator/health");
            HttpResponse<String> away = page.get("/actuator/health/keyslot/p2");
            String liveness = page.get("/actuator/health/liveness").body();
            TimeUnit.SECONDS.sleep(1);
            int journal = manager.partitions().get(1).journal();
            String scrape = page.get("/actuator/prometheus").body();
            second.restart();
            await(() -> manager.partitions().get(1).state() == PartitionState.HEALTHY);
            TimeUnit.SECONDS.sleep(1);
            over.countDown();

            int requests = 0;
            for (Future<Integer> thread : threads) {
                requests += thread.get(1, TimeUnit.MINUTES);
            }
            assertThat(wrong).isEmpty();
            assertThat(requests).isGreaterThan(500);
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(health.body()).contains("\"p2\":{", "\"status\":\"MISSING\"");
            assertThat(away.body()).contains("\"status\":\"MISSING\"", "\"state\":\"");
            assertThat(liveness).contains("UP").doesNotContain("keyslot");
            assertThat(journal).isPositive();
            assertThat(scrape.lines().filter(line -> line.startsWith("keyslot_writes_journaled_total")))
                    .isNotEmpty()
                    .allMatch(line -> line.contains("cache=\"books\"") || line.contains("cache=\"bestsellers\""));
        } finally {
            readers.shutdownNow();
        }
    }

    private int readAndReprint(Page page, Books books, long first) throws Exception {
        int requests = 0;
        while (over.getCount() > 0) {
            for (long id = first; id < first + BOOKS; id++) {
                String expected = id + " in edition " + books.editionOf(id);
                expect(page.get("/books/" + id), expected);
                expect(page.get("/bestsellers/" + id), expected);
                requests += 2;
                if ((id + requests) % 3 == 0) {
                    expect(page.post("/books/" + id), "");
                    requests++;
                }
            }
        }
        return requests;
    }

    private void expect(HttpResponse<String> response, String body) {
        if (response.statusCode() != 200 || !response.body().equals(body)) {
            wrong.add("%s: %d %s, not %s"
                    .formatted(response.uri().getPath(), response.statusCode(), response.body(), body));
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 200 && !condition.getAsBoolean(); i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
