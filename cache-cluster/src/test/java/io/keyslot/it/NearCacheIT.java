// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cluster.local.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.expiry.CreatedExpiryPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** One manager reads near, another one writes, on servers. */
@SideBySide
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before the tests
class NearCacheIT {
    /** Long, so that what is seen sooner was told. */
    private static final Duration STALENESS = Duration.ofMinutes(1);

    private TestServers servers;
    private CacheManager near;
    private CacheManager plain;
    private Cache<String, String> reader;
    private Cache<String, String> writer;

    @BeforeAll
    void open() {
        startServers();
        near = manager("near");
        plain = manager("plain");
        PartitionedConfiguration<String, String> configuration = configuration();
        configuration.setNear(NearOptions.ofEntries(10_000).withStaleness(STALENESS));
        reader = near.createCache("prices", configuration);
        writer = plain.createCache("prices", configuration());
        awaitLinks(reader);
    }

    void startServers() {
        servers = TestServers.start(2);
    }

    void endServers() throws Exception {
        servers.close();
    }

    CacheManager manager(String name) {
        return KeyslotManagers.openPatiently(name, servers.uris());
    }

    private static PartitionedConfiguration<String, String> configuration() {
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
        configuration.setTypes(String.class, String.class);
        return configuration;
    }

    /** Waits until reads are kept, of each partition. */
    private void awaitLinks(Cache<String, String> cache) {
        for (int i = 0; i < 20; i++) {
            String key = "link" + i;
            cache.put(key, "1");
            await().until(() -> isKept(cache, key));
        }
    }

    /** Copies of strings are shared: the same one comes each time. */
    @SuppressWarnings({"StringEquality", "ReferenceEquality"})
    private static boolean isKept(Cache<String, String> cache, String key) {
        String first = cache.get(key);
        String second = cache.get(key);
        return first != null && first == second;
    }

    @AfterAll
    void close() throws Exception {
        near.close();
        plain.close();
        endServers();
    }

    @Test
    void changeOfAnother_isTold() {
        for (int i = 0; i < 100; i++) {
            String key = "told" + i;
            writer.put(key, "old");
            assertThat(reader.get(key)).isEqualTo("old");

            writer.put(key, "new");
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> reader.get(key).equals("new"));
        }
    }

    @Test
    void ownChanges_areSeenAtOnce() {
        for (int i = 0; i < 500; i++) {
            String key = "own" + i % 10;
            reader.put(key, Integer.toString(i));
            assertThat(reader.get(key)).isEqualTo(Integer.toString(i));
            assertThat(reader.get(key)).isEqualTo(Integer.toString(i));
        }
    }

    @Test
    void readsTogether_areKept() {
        Map<String, String> all = new HashMap<>();
        for (int i = 0; i < 600; i++) {
            all.put("together" + i, Integer.toString(i));
        }
        writer.putAll(all);

        assertThat(reader.getAll(all.keySet())).isEqualTo(all);
        assertThat(all.keySet()).allMatch(key -> isKept(reader, key));
        writer.removeAll(all.keySet());
        await().until(() -> reader.getAll(all.keySet()).isEmpty());
    }

    /** Nobody else has a reason to look for the entry, and so the server says nothing when it is over. */
    @Test
    void entryThatExpires_isNotServedAfterwards() {
        PartitionedConfiguration<String, String> configuration = configuration();
        configuration.setNear(NearOptions.ofEntries(100).withStaleness(STALENESS));
        configuration.setExpiryPolicyFactory(
                CreatedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, 300)));
        Cache<String, String> expiring = near.createCache("expiring", configuration);
        expiring.put("a", "1");

        assertThat(expiring.get("a")).isEqualTo("1");
        await().pollInterval(Duration.ofMillis(1)).until(() -> expiring.get("a") == null);
    }

    /** A version is written by one, and read by several: no reader ever sees an older one than before. */
    @Test
    void readers_neverGoBack() throws Exception {
        writer.put("hot", "0");
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong reads = new AtomicLong();
        List<String> wrong = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            threads.add(new Thread(() -> {
                long seen = 0;
                while (!over.get()) {
                    long now = Long.parseLong(reader.get("hot"));
                    reads.incrementAndGet();
                    if (now < seen) {
                        synchronized (wrong) {
                            wrong.add(now + " after " + seen);
                        }
                    }
                    seen = now;
                }
            }));
        }
        threads.forEach(Thread::start);
        for (int i = 1; i <= 1_500; i++) {
            writer.put("hot", Integer.toString(i));
            if (i % 100 == 0) {
                String mine = Integer.toString(i);
                await().pollInterval(Duration.ofMillis(1))
                        .until(() -> reader.get("hot").equals(mine));
            }
        }
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(wrong).isEmpty();
        assertThat(reads.get()).isGreaterThan(1_500);
    }

    /** The group is written through the manager, and so is every cache of it told. */
    @Test
    void transactions_areOwnChangesToo() {
        PartitionedConfiguration<String, String> configuration = configuration();
        configuration.setGroupedBy("customer");
        configuration.setNear(NearOptions.ofEntries(100).withStaleness(STALENESS));
        Cache<String, String> names = near.createCache("names", configuration);
        awaitLinks(names);
        @SuppressWarnings("unchecked")
        PartitionedCache<String, String> partitioned = names.unwrap(PartitionedCache.class);
        names.put("99", "Ada");
        names.get("99");

        near.unwrap(PartitionedCacheManager.class)
                .group(EntityKey.of("customer", "99"))
                .transactWithoutResult(group -> group.entries(partitioned).put("99", "Grace"));

        assertThat(names.get("99")).isEqualTo("Grace");
    }
}
