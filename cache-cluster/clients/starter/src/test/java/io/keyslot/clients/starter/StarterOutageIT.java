// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.starter;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.clients.starter.Library.Books;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
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

    /** Those from here on are read by no thread. */
    private static final long FIRST_UNREAD = 10_000;

    /** Those are read and changed together, by this thread. */
    private static final List<Long> TOGETHER = LongStream.range(2 * FIRST_UNREAD, 2 * FIRST_UNREAD + 100).boxed().toList();

    /** So many requests of a phase have hit every book of every thread. */
    private static final int REQUESTS_OF_A_PHASE = 4 * THREADS * BOOKS;

    /** For a machine that does other things as well. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicInteger requests = new AtomicInteger();

    @Test
    void serverThatGoesAndComesBack_failsNoRequest_andNothingIsOutdated() throws Exception {
        ExecutorService readers = Executors.newFixedThreadPool(THREADS);
        try (LocalServers servers = LocalServers.create();
                ConfigurableApplicationContext application =
                        Library.start(servers.start(3, "--appendonly", "yes", "--appendfsync", "always").stream()
                                .map(LocalServer::uri)
                                .toList())) {
            Books books = application.getBean(Books.class);
            PartitionedCacheManager manager = application.getBean(PartitionedCacheManager.class);
            Page page = new Page(application);
            LocalServer second = servers.servers().get(1);
            String witness = keepWitness(books, second);
            String kept = rawValue(second, witness);
            Map<Long, String> before = books.findAll(TOGETHER);
            List<Future<?>> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                long first = (long) i * BOOKS;
                threads.add(readers.submit(() -> readAndReprint(page, books, first)));
            }

            awaitRequests();
            second.kill();
            awaitState(manager, PartitionState.MISSING);
            HttpResponse<String> health = page.get("/actuator/health");
            HttpResponse<String> away = page.get("/actuator/health/keyslot/p2");
            Map<Long, String> meanwhile = books.findAll(TOGETHER);
            books.reprintAll(TOGETHER);
            Map<Long, String> reprinted = books.findAll(TOGETHER);
            String liveness = page.get("/actuator/health/liveness").body();
            awaitRequests();
            int journal = manager.partitions().get(1).journal();
            String scrape = page.get("/actuator/prometheus").body();
            second.restart();
            String back = rawValue(second, witness);
            awaitState(manager, PartitionState.HEALTHY);
            awaitRequests();
            over.countDown();

            for (Future<?> thread : threads) {
                thread.get(1, TimeUnit.MINUTES);
            }
            assertThat(wrong).isEmpty();
            assertThat(meanwhile).isEqualTo(before);
            assertThat(reprinted).isNotEqualTo(before).allSatisfy((id, book) -> assertThat(book).endsWith("edition 1"));
            assertThat(books.findAll(TOGETHER)).as("after the outage").isEqualTo(reprinted);
            assertThat(kept).isNotNull();
            assertThat(back).as("what the server had").isEqualTo(kept);
            assertThat(rawValue(second, witness)).isEqualTo(kept);
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

    /** Caches a book on this server that nobody asks for again, and returns its stored key. */
    private static String keepWitness(Books books, LocalServer server) {
        return LongStream.range(FIRST_UNREAD, FIRST_UNREAD + 100)
                .peek(books::find)
                .mapToObj("books:{books:%d}Long"::formatted)
                .filter(key -> rawValue(server, key) != null)
                .findFirst()
                .orElseThrow();
    }

    /** Asks the server itself, past the caches. */
    private static @Nullable String rawValue(LocalServer server, String key) {
        RedisClient client = RedisClient.create(server.uri());
        try (StatefulRedisConnection<String, String> connection = client.connect(new StringCodec(ISO_8859_1))) {
            return connection.sync().get(key);
        } finally {
            client.shutdown(0, 0, TimeUnit.SECONDS);
        }
    }

    private void awaitRequests() {
        int enough = requests.get() + REQUESTS_OF_A_PHASE;
        await().atMost(PATIENCE).until(() -> requests.get() >= enough);
    }

    private static void awaitState(PartitionedCacheManager manager, PartitionState state) {
        await().atMost(PATIENCE).until(() -> manager.partitions().get(1).state() == state);
    }

    private @Nullable Void readAndReprint(Page page, Books books, long first) throws Exception {
        for (int round = 0; over.getCount() > 0; round++) {
            for (long id = first; id < first + BOOKS; id++) {
                String expected = id + " in edition " + books.editionOf(id);
                expect(page.get("/books/" + id), expected);
                expect(page.get("/bestsellers/" + id), expected);
                if ((id + round) % 3 == 0) {
                    expect(page.post("/books/" + id), "");
                }
            }
        }
        return null;
    }

    private void expect(HttpResponse<String> response, String body) {
        requests.incrementAndGet();
        if (response.statusCode() != 200 || !response.body().equals(body)) {
            wrong.add("%s: %d %s, not %s"
                    .formatted(response.uri().getPath(), response.statusCode(), response.body(), body));
        }
    }
}
