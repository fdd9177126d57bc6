// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.TestServers;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.processor.EntryProcessor;
import org.junit.jupiter.api.Test;

/** Two processes that change one entry at the same time. */
@SideBySide
class TwoJvmsIT {
    private static final String KEY = "counter";
    private static final int THREADS = 4;
    private static final int INCREMENTS = 1_000;

    private static final EntryProcessor<String, Long, Long> INCREMENT = (entry, arguments) -> {
        long next = entry.exists() ? entry.getValue() + 1 : 1;
        entry.setValue(next);
        return next;
    };

    @Test
    void incrementsByEightThreadsInTwoJvms_loseNone() throws Exception {
        try (TestServers servers = TestServers.start(3);
                OtherJvm other =
                        OtherJvm.start(Incrementing.class, servers.uris().toArray(String[]::new));
                CacheManager manager = KeyslotManagers.openPatiently("two-jvms", servers.uris())) {
            Cache<String, Long> cache = cacheOf(manager);
            other.awaitLine("ready");
            other.say("go");
            increment(cache);
            other.awaitSuccess();
            assertThat(cache.get(KEY)).isEqualTo(2L * THREADS * INCREMENTS);
        }
    }

    /** What the second process does. */
    static final class Incrementing {
        private Incrementing() {}

        public static void main(String[] addresses) throws Exception {
            try (CacheManager manager = KeyslotManagers.openPatiently("two-jvms", List.of(addresses))) {
                Cache<String, Long> cache = cacheOf(manager);
                System.out.println("ready");
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
                increment(cache);
            }
        }
    }

    private static Cache<String, Long> cacheOf(CacheManager manager) {
        return manager.createCache(
                "counters", new MutableConfiguration<String, Long>().setTypes(String.class, Long.class));
    }

    private static void increment(Cache<String, Long> cache) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Long>> tasks = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                tasks.add(() -> {
                    long last = 0;
                    for (int i = 0; i < INCREMENTS; i++) {
                        last = cache.invoke(KEY, INCREMENT);
                    }
                    return last;
                });
            }
            for (Future<Long> done : executor.invokeAll(tasks)) {
                assertThat(done.get()).isPositive();
            }
        } finally {
            executor.shutdownNow();
        }
    }
}
