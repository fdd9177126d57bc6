// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.OutcomeUnknownException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads of several processes of which one runs at a time, as chance wants it. */
@Timeout(60)
class InterleavingTest {
    private static final int SEEDS = 50;

    /** What two processes of two threads each do to one entry, in the order in which they did it. */
    private static List<String> run(long seed) {
        List<String> happened = new ArrayList<>();
        try (EmbeddedKeyslot keyslot =
                EmbeddedKeyslot.start(KeyslotSettings.defaults().withSeed(seed))) {
            List<Runnable> threads = new ArrayList<>();
            for (int process = 0; process < 2; process++) {
                Cache<String, String> cache = keyslot.cacheManager(process)
                        .createCache("orders", new PartitionedConfiguration<String, String>());
                for (int number = 0; number < 2; number++) {
                    String name = process + "." + number;
                    threads.add(() -> {
                        happened.add(name + " put " + cache.putIfAbsent("k", name));
                        happened.add(name + " found "
                                + cache.invoke("k", (entry, arguments) -> {
                                    keyslot.yieldTurn();
                                    String before = entry.getValue();
                                    entry.setValue(name);
                                    return before;
                                }));
                        happened.add(name + " removed " + cache.remove("k"));
                    });
                }
            }
            keyslot.interleave(threads);
            happened.add(keyslot.elapsed().toString());
        }
        return happened;
    }

    @Test
    void sameSeed_isTheSameRun() {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(run(seed)).as("seed %d", seed).isEqualTo(run(seed));
        }
    }

    @Test
    void oneThreadRunsAtATime() {
        int[] counter = new int[1];
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            Runnable counting = () -> {
                for (int i = 0; i < 1_000; i++) {
                    counter[0]++;
                    keyslot.yieldTurn();
                }
            };
            keyslot.interleave(List.of(counting, counting, counting));
        }
        assertThat(counter[0]).isEqualTo(3_000);
    }

    @Test
    void timePasses_whenAllWait() {
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            keyslot.interleave(List.of(
                    () -> keyslot.advance(Duration.ofSeconds(2)), () -> keyslot.advance(Duration.ofSeconds(3))));

            assertThat(keyslot.elapsed()).isEqualTo(Duration.ofSeconds(3));
        }
    }

    @ParameterizedTest
    @CsvSource({"1000, 1000", "5000, 2100"})
    void closingThread_waitsForARunningLoad_byTheClockOfTheTest(long loadMillis, long closedAfterMillis) {
        for (long seed = 0; seed < SEEDS; seed++) {
            try (EmbeddedKeyslot keyslot =
                    EmbeddedKeyslot.start(KeyslotSettings.defaults().withSeed(seed))) {
                PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
                configuration.setReadThrough(true).setCacheLoaderFactory(() -> new SlowLoader(keyslot, loadMillis));
                Cache<String, String> cache = keyslot.cacheManager().createCache("orders", configuration);
                List<Duration> closed = new ArrayList<>();

                keyslot.interleave(List.of(
                        () -> {
                            Throwable unused = catchThrowable(() -> cache.get("k"));
                        },
                        () -> {
                            keyslot.advance(Duration.ofMillis(100));
                            cache.close();
                            closed.add(keyslot.elapsed());
                        }));

                assertThat(closed).as("seed %d", seed).containsExactly(Duration.ofMillis(closedAfterMillis));
            }
        }
    }

    private record SlowLoader(EmbeddedKeyslot keyslot, long millis) implements CacheLoader<String, String> {
        @Override
        public String load(String key) {
            keyslot.advance(Duration.ofMillis(millis));
            return key;
        }

        @Override
        public Map<String, String> loadAll(Iterable<? extends String> keys) {
            throw new UnsupportedOperationException("one key is read at a time");
        }
    }

    @Test
    void threadThatChangesTheSameEntry_waitsInTurn_asLongAsTheOtherOneTakes() {
        List<String> happened = new ArrayList<>();
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            Cache<String, String> cache =
                    keyslot.cacheManager().createCache("orders", new PartitionedConfiguration<String, String>());
            Runnable changing = () -> cache.invoke("k", (entry, arguments) -> {
                happened.add("begins");
                keyslot.advance(Duration.ofSeconds(2));
                happened.add("ends");
                entry.setValue("v");
                return true;
            });
            keyslot.interleave(List.of(changing, changing, changing));

            assertThat(keyslot.elapsed()).isEqualTo(Duration.ofSeconds(6));
        }
        assertThat(happened).containsExactly("begins", "ends", "begins", "ends", "begins", "ends");
    }

    @Test
    void interruptedThread_stopsWaiting_atTheSameMomentEveryTime() {
        for (long seed = 0; seed < 20; seed++) {
            assertThat(interruptedPut(seed)).as("seed %d", seed).isEqualTo(Duration.ofMillis(100));
        }
    }

    private static Duration interruptedPut(long seed) {
        List<Duration> ended = new ArrayList<>();
        try (EmbeddedKeyslot keyslot =
                EmbeddedKeyslot.start(KeyslotSettings.defaults().withSeed(seed))) {
            Cache<String, String> cache =
                    keyslot.cacheManager().createCache("orders", new PartitionedConfiguration<String, String>());
            keyslot.partitionOf(cache, "k").freeze();
            Duration start = keyslot.elapsed();
            List<Thread> putting = new ArrayList<>();
            keyslot.interleave(List.of(
                    () -> {
                        putting.add(Thread.currentThread());
                        assertThatThrownBy(() -> cache.put("k", "v")).isInstanceOf(OutcomeUnknownException.class);
                        assertThat(Thread.interrupted()).isTrue();
                        ended.add(keyslot.elapsed().minus(start));
                    },
                    () -> {
                        keyslot.advance(Duration.ofMillis(100));
                        putting.forEach(Thread::interrupt);
                    }));
        }
        return ended.get(0);
    }

    @Test
    void failures_areThrown_whenAllHaveEnded() {
        List<String> happened = new ArrayList<>();
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            Runnable failing = () -> {
                throw new IllegalArgumentException("wrong");
            };
            Runnable working = () -> {
                keyslot.advance(Duration.ofSeconds(1));
                happened.add("done");
            };
            assertThatThrownBy(() -> keyslot.interleave(List.of(failing, working)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(happened).containsExactly("done");
    }

    @Test
    void threads_endWithTheRun() throws Exception {
        CountDownLatch ended = new CountDownLatch(2);
        List<Thread> threads = new ArrayList<>();
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            Runnable task = () -> {
                threads.add(Thread.currentThread());
                ended.countDown();
            };
            keyslot.interleave(List.of(task, task));
        }
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
        for (Thread thread : threads) {
            thread.join(10_000);
            assertThat(thread.isAlive()).isFalse();
        }
    }
}
