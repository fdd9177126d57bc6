// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Test;

/** A replicated cache on three servers, of which one after the other is killed. */
class ReplicatedCacheIT {
    private static final int KEYS = 60;
    private static final int READERS = 4;
    private static final Duration BACK_WITHIN = Duration.ofSeconds(10);
    private static final Duration COPIED_WITHIN = Duration.ofSeconds(15);
    private static final long END_WITHIN_SECONDS = 60;

    @Test
    void killedServer_costsNoReadOfWhatOthersHaveCopied() throws Exception {
        try (LocalServers local = LocalServers.create()) {
            List<LocalServer> servers = local.start(3);
            try (CacheManager manager = open("replicated-reads", servers, KeyslotManagers.LONG_DEADLINES)) {
                PartitionedCache<String, Long> cache = cacheOf(manager);
                Map<String, Long> expected = new LinkedHashMap<>();
                for (int i = 0; i < KEYS; i++) {
                    expected.put("k" + i, (long) i);
                }
                cache.putAll(expected);
                assertThat(cache.getAll(expected.keySet())).isEqualTo(expected);

                servers.get(1).kill();

                await("the copies serve")
                        .atMost(BACK_WITHIN)
                        .untilAsserted(() ->
                                assertThat(cache.getAll(expected.keySet())).isEqualTo(expected));
                assertThat(expected)
                        .allSatisfy((key, value) -> assertThat(cache.get(key)).isEqualTo(value));
            }
        }
    }

    @Test
    void serversKilledUnderLoad_noReadIsOlderThanTheLastAcknowledgedWrite() throws Exception {
        try (LocalServers local = LocalServers.create()) {
            List<LocalServer> servers = local.start(3);
            try (CacheManager writing = open("replicated-writer", servers, Map.of());
                    CacheManager reading = open("replicated-reader", servers, Map.of());
                    Load load = new Load(cacheOf(writing), cacheOf(reading))) {
                load.awaitWrites(200);
                for (LocalServer server : servers) {
                    server.kill();
                    load.awaitWrites(100);
                    server.restart();
                    load.awaitWrites(300);
                }
                load.close();

                assertThat(load.failures).isEmpty();
                load.checkAgreement(servers);
            }
        }
    }

    private static CacheManager open(String name, List<LocalServer> servers, Map<String, String> settings) {
        return KeyslotManagers.open(name, servers.stream().map(LocalServer::uri).toList(), settings);
    }

    private static PartitionedCache<String, Long> cacheOf(CacheManager manager) {
        @SuppressWarnings("unchecked")
        PartitionedCache<String, Long> cache = manager.createCache(
                        "rates",
                        new PartitionedConfiguration<String, Long>()
                                .setTypes(String.class, Long.class)
                                .setReplicated(true))
                .unwrap(PartitionedCache.class);
        return cache;
    }

    /** One thread that writes rising numbers, and some of another process that read them. */
    private static final class Load implements AutoCloseable {
        private final PartitionedCache<String, Long> writer;
        private final PartitionedCache<String, Long> reader;
        private final AtomicLongArray acknowledged = new AtomicLongArray(KEYS);
        private final AtomicBoolean over = new AtomicBoolean();
        private final Queue<String> failures = new ConcurrentLinkedQueue<>();
        private final ExecutorService threads = Executors.newFixedThreadPool(READERS + 1);
        private final List<Future<?>> running = new ArrayList<>();
        private volatile long writes;

        Load(PartitionedCache<String, Long> writer, PartitionedCache<String, Long> reader) {
            this.writer = writer;
            this.reader = reader;
            running.add(threads.submit(this::write));
            for (int i = 0; i < READERS; i++) {
                int offset = i;
                running.add(threads.submit(() -> read(offset)));
            }
        }

        private void write() {
            for (long next = 1; !over.get(); next++) {
                int key = (int) (next % KEYS);
                try {
                    writer.put("k" + key, next);
                    acknowledged.set(key, next);
                    writes = next;
                } catch (KeyslotException missing) {
                    // It may or may not be stored; a later write of the key is acknowledged when its home is back.
                }
            }
        }

        private void read(int offset) {
            for (int i = offset; !over.get(); i++) {
                int key = i % KEYS;
                long atLeast = acknowledged.get(key);
                Long found = reader.get("k" + key);
                if (found != null && found < atLeast) {
                    failures.add("k%d is %d, although %d was acknowledged before".formatted(key, found, atLeast));
                }
            }
        }

        void awaitWrites(int count) {
            long target = writes + count;
            await("writes go on").atMost(BACK_WITHIN.multipliedBy(3)).until(() -> writes >= target);
        }

        /** Each server serves without any other one, in turn, what the homes had before. */
        void checkAgreement(List<LocalServer> servers) throws Exception {
            Map<String, Long> last = new LinkedHashMap<>();
            for (int key = 0; key < KEYS; key++) {
                last.put("k" + key, (long) key);
            }
            await("all homes are back").atMost(BACK_WITHIN).until(() -> isStored(last));
            await("all copies are there").atMost(COPIED_WITHIN).until(() -> last.equals(reader.getAll(last.keySet())));
            servers.get(0).kill();
            await("the others have all")
                    .atMost(COPIED_WITHIN)
                    .untilAsserted(
                            () -> assertThat(reader.getAll(last.keySet())).isEqualTo(last));
        }

        private boolean isStored(Map<String, Long> values) {
            try {
                writer.putAll(values);
                return true;
            } catch (KeyslotException missing) {
                return false;
            }
        }

        @Override
        public void close() throws Exception {
            if (over.compareAndSet(false, true)) {
                for (Future<?> thread : running) {
                    thread.get(END_WITHIN_SECONDS, TimeUnit.SECONDS);
                }
                threads.shutdown();
            }
        }
    }
}
