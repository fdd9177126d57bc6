// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads that are interrupted while they read or write a cache with near copies. */
@Tag("thorough")
@SideBySide
@SuppressWarnings("NullAway.Init") // set before each test
class NearInterruptedIT {
    private static final int RACES = 200;
    private static final int KEYS = 5;
    private static final int LONGEST_MICROS = 1_500;

    /** Long, so that a copy that is wrong stays. */
    private static final Duration STALENESS = Duration.ofMinutes(1);

    private final ScheduledExecutorService interrupter = Executors.newSingleThreadScheduledExecutor();
    private final Random random = new Random(15);
    private TestServers servers;
    private CacheManager reading;
    private CacheManager writing;
    private Cache<String, Long> near;
    private Cache<String, Long> plain;
    private int interrupted;

    @BeforeEach
    void open() {
        servers = TestServers.start(2);
        reading = NearCaches.open("interrupted", servers.uris(), KeyslotManagers.LONG_DEADLINES);
        writing = NearCaches.open("writer", servers.uris(), KeyslotManagers.LONG_DEADLINES);
        near = NearCaches.near(reading, Duration.ZERO, STALENESS);
        plain = NearCaches.plain(writing, Duration.ZERO);
    }

    @AfterEach
    void close() throws Exception {
        boolean unused = Thread.interrupted();
        interrupter.shutdownNow();
        reading.close();
        writing.close();
        servers.close();
    }

    /** Runs a call that is interrupted at some moment, and has to be still when it is over. */
    private void race(Runnable call) throws Exception {
        Thread thread = Thread.currentThread();
        Future<?> interruption = interrupter.schedule(
                () -> {
                    thread.interrupt();
                    return true;
                },
                random.nextInt(LONGEST_MICROS),
                TimeUnit.MICROSECONDS);
        try {
            call.run();
        } catch (KeyslotException e) {
            // done, not done, or not known
        }
        boolean isCancelled = interruption.cancel(false);
        boolean wasInterrupted = Thread.interrupted();
        // What has begun may interrupt this thread until it is over, whatever the cancellation says: so this wait ends
        // by nothing else.
        CompletableFuture.runAsync(() -> {}, interrupter).join();
        assertThat(wasInterrupted || Thread.interrupted() || isCancelled)
                .as("the thread is still interrupted")
                .isTrue();
        interrupted += wasInterrupted ? 1 : 0;
    }

    @Test
    void interruptedCalls_leaveTheFlag_andNoWrongCopy() throws Exception {
        List<String> keys = List.of("a", "b", "c", "d", "e");
        for (long i = 0; i < RACES; i++) {
            long value = i;
            String key = keys.get(random.nextInt(KEYS));
            plain.put(key, value);
            switch (random.nextInt(4)) {
                case 0 -> race(() -> near.getAll(Set.copyOf(keys)));
                case 1 -> race(() -> near.put(key, -value));
                default -> race(() -> near.get(key));
            }
            await().pollInterval(Duration.ofMillis(1)).until(() -> Objects.equals(near.get(key), plain.get(key)));
        }

        assertThat(interrupted).as("calls that were interrupted").isPositive();
        assertThat(near.getAll(Set.copyOf(keys))).isEqualTo(plain.getAll(Set.copyOf(keys)));
    }
}
