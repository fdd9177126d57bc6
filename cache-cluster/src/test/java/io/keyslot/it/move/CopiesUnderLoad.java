// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.jcache.ReadsAt;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.cache.Cache;

/**
 * Clients of a replicated cache, each of which writes keys of its own and reads all of them, at their home or at any partition; and a
 * log that says whether what was read is possible.
 */
final class CopiesUnderLoad implements AutoCloseable {
    private static final int CLIENTS = 3;
    private static final int KEYS = 24;
    private static final long BETWEEN_CALLS_NANOS = 500_000;
    private static final Duration AGREED_WITHIN = Duration.ofSeconds(30);

    private final MovingServers servers;
    private final WriteLog log = new WriteLog();
    private final List<PartitionedCacheManager> managers = new ArrayList<>();
    private final List<Cache<String, Long>> caches = new ArrayList<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger checked = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> callers = new ArrayList<>();
    private volatile boolean works = true;

    CopiesUnderLoad(MovingServers servers) {
        this.servers = servers;
        for (int client = 0; client < CLIENTS; client++) {
            PartitionedCacheManager manager = servers.manager("copies-" + client, servers.maps()::source);
            managers.add(manager);
            caches.add(manager.createCache(
                    MovingServers.REPLICATED,
                    new PartitionedConfiguration<String, Long>()
                            .setReplicated(true)
                            .setMissingPartitionPolicy(MissingPartitionPolicy.FAIL)));
        }
        for (int client = 0; client < CLIENTS; client++) {
            int number = client;
            callers.add(threads.submit(() -> write(number)));
            callers.add(threads.submit(() -> read(number)));
        }
    }

    private static String key(int number) {
        return "k" + number;
    }

    private static EncodedKey stored(int number) {
        return EncodedKey.of(MovingServers.REPLICATED + ":" + key(number));
    }

    /** Returns the slots of those keys that are at a partition now. */
    SlotSet slotsAt(PartitionId home) {
        return SlotSet.of(IntStream.range(0, KEYS)
                .map(key -> servers.maps().read().slotOf(stored(key)))
                .filter(slot -> servers.maps().read().ownerOf(slot).stream().anyMatch(home::equals)));
    }

    /** From now on there may be nothing under a key: a server has lost its memory. */
    void lose() {
        log.lose();
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    private void write(int client) {
        for (int i = 0; works; i++) {
            String key = key((client + CLIENTS * i) % KEYS);
            long value = log.begin(key);
            try {
                caches.get(client).put(key, value);
                log.acknowledge(key, value);
            } catch (KeyslotException e) {
                failures.add("put " + e);
            }
            LockSupport.parkNanos(BETWEEN_CALLS_NANOS);
        }
    }

    private void read(int client) {
        Random random = new Random(client);
        while (works) {
            String key = key(random.nextInt(KEYS));
            boolean isChecked = !othersOweDeletions(client);
            long floor = log.acknowledged(key);
            try {
                Long value = random.nextBoolean()
                        ? caches.get(client).get(key)
                        : ReadsAt.get(caches.get(client), MovingServers.ALL.get(random.nextInt(3)), key);
                if (isChecked && !othersOweDeletions(client)) {
                    checked.incrementAndGet();
                    log.found(key, floor, value);
                }
            } catch (KeyslotException e) {
                failures.add("get " + e);
            }
            LockSupport.parkNanos(BETWEEN_CALLS_NANOS);
        }
    }

    /** A copy that its writer could not reach may be read by others until it is deleted. */
    private boolean othersOweDeletions(int client) {
        return IntStream.range(0, CLIENTS)
                .filter(other -> other != client)
                .anyMatch(other ->
                        managers.get(other).partitions().stream().anyMatch(partition -> partition.journal() > 0));
    }

    /** Returns when so many more reads were checked. */
    void awaitReads(int count) {
        int target = checked.get() + count;
        await().atMost(AGREED_WITHIN).until(() -> checked.get() >= target);
    }

    /** Ends the work: nothing that was read is out of date, and each client finds the same of each key at each partition. */
    void assertAgreement() throws Exception {
        works = false;
        for (Future<?> caller : callers) {
            caller.get(30, TimeUnit.SECONDS);
        }
        assertThat(log.violations()).isEmpty();
        assertThat(checked).hasValueGreaterThan(100);
        await().atMost(AGREED_WITHIN)
                .untilAsserted(() -> assertThat(differences()).isEmpty());
        for (int key = 0; key < KEYS; key++) {
            log.found(key(key), log.acknowledged(key(key)), caches.get(0).get(key(key)));
        }
        assertThat(log.violations()).isEmpty();
    }

    private List<String> differences() {
        List<String> differences = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            String name = key(key);
            Long atHome = caches.get(0).get(name);
            for (int client = 0; client < CLIENTS; client++) {
                for (PartitionId partition : MovingServers.ALL) {
                    Long copy = ReadsAt.get(caches.get(client), partition, name);
                    if (!Objects.equals(atHome, copy)) {
                        differences.add("client %d finds %s of %s at %s, and %s is at its home"
                                .formatted(client, copy, name, partition, atHome));
                    }
                }
            }
        }
        return differences;
    }

    @Override
    public void close() {
        works = false;
        threads.shutdownNow();
    }
}
