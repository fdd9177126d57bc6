// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.concurrent.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class VirtualTimeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualClockwork clockwork = new VirtualClockwork(1);
    private final VirtualTime time = clockwork.time();
    private final List<String> happened = new ArrayList<>();

    @AfterEach
    void close() {
        assertThat(Thread.interrupted()).isFalse();
        clockwork.close();
    }

    private void advance(Duration duration) {
        time.waitUntil(() -> false, duration.toNanos());
    }

    private Duration now() {
        return Duration.ofNanos(time.nanos());
    }

    private void happens(Duration after, String what) {
        Event unused = time.after(after.toNanos(), () -> happened.add(now().toMillis() + " " + what));
    }

    private String await(CompletableFuture<String> future, Duration atMost) {
        return clockwork.waiter().await(future, Deadline.after(time, atMost), () -> "timeout");
    }

    @Nested
    class Events {
        @Test
        void happenInTheirOrder_asTimePasses() {
            happens(SECOND, "second");
            happens(Duration.ofMillis(10), "first");
            happens(SECOND, "third");
            happens(Duration.ofMillis(1_001), "too late");

            advance(SECOND);

            assertThat(happened).containsExactly("10 first", "1000 second", "1000 third");
            assertThat(now()).isEqualTo(SECOND);
        }

        @Test
        void mayLetTimePassThemselves() {
            Event unused = time.after(1_000_000, () -> advance(SECOND));
            happens(Duration.ofMillis(500), "within");

            advance(Duration.ofMillis(2));

            assertThat(happened).containsExactly("500 within");
            assertThat(now()).isEqualTo(Duration.ofMillis(1_001));
        }

        @Test
        void cancelled_doNotHappen() {
            ScheduledExecutorService scheduler = clockwork.scheduler("shop");
            Future<?> cancelled = scheduler.schedule(() -> happened.add("cancelled"), 1, TimeUnit.SECONDS);
            Future<?> dropped = scheduler.schedule(() -> happened.add("dropped"), 2, TimeUnit.SECONDS);

            cancelled.cancel(false);
            advance(SECOND);
            assertThat(scheduler.shutdownNow()).hasSize(1);
            advance(SECOND);

            assertThat(happened).isEmpty();
            assertThat(dropped).isNotDone();
            assertThat(scheduler.isTerminated()).isTrue();
            assertThatThrownBy(() -> scheduler.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        }

        @Test
        void repeated_happenAgainUntilTheyAreCancelled() {
            ScheduledExecutorService scheduler = clockwork.scheduler("shop");
            Future<?> repeated = scheduler.scheduleAtFixedRate(
                    () -> happened.add(String.valueOf(now().toMillis())), 5, 10, TimeUnit.MILLISECONDS);

            advance(Duration.ofMillis(30));
            repeated.cancel(false);
            advance(Duration.ofMillis(30));

            assertThat(happened).containsExactly("5", "15", "25");
        }
    }

    @Nested
    class Await {
        @Test
        void returnsTheValue_whenItComes() {
            CompletableFuture<String> future = new CompletableFuture<>();
            Event unused = time.after(SECOND.toNanos(), () -> future.complete("value"));

            assertThat(await(future, Duration.ofHours(1))).isEqualTo("value");
            assertThat(now()).isEqualTo(SECOND);
        }

        @Test
        void returnsWhatComesAtTheDeadlineItself() {
            CompletableFuture<String> future = new CompletableFuture<>();
            Event unused = time.after(SECOND.toNanos(), () -> future.complete("value"));

            assertThat(await(future, SECOND)).isEqualTo("value");
        }

        @Test
        void givesUpAtTheDeadline() {
            assertThat(await(new CompletableFuture<>(), SECOND)).isEqualTo("timeout");
            assertThat(now()).isEqualTo(SECOND);
        }

        @Test
        void givesUpAtOnce_ifTheThreadIsInterrupted() {
            Thread.currentThread().interrupt();

            assertThat(await(new CompletableFuture<>(), SECOND)).isEqualTo("timeout");

            assertThat(Thread.interrupted()).isTrue();
            assertThat(now()).isZero();
        }
    }

    @Nested
    class Pool {
        private final ExecutorService pool = clockwork.pool("shop", "async", 2, 1);

        @Test
        void tasks_runOneAtATime_inTheOrderInWhichTheyCanGoOn() {
            pool.execute(() -> waits("a", Duration.ofMillis(20)));
            pool.execute(() -> waits("b", Duration.ofMillis(10)));
            happened.add("test");
            advance(SECOND);

            assertThat(happened).containsExactly("0 a begins", "0 b begins", "test", "10 b ends", "20 a ends");
        }

        private void waits(String who, Duration duration) {
            happened.add(now().toMillis() + " " + who + " begins");
            advance(duration);
            happened.add(now().toMillis() + " " + who + " ends");
        }

        @Test
        void isBoundedInThreadsAndInWhatWaits() {
            pool.execute(() -> advance(SECOND));
            pool.execute(() -> advance(SECOND));
            pool.execute(() -> happened.add("waited"));

            assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
            assertThat(happened).isEmpty();
            advance(SECOND);
            assertThat(happened).containsExactly("waited");
        }

        @Test
        void shutDown_refusesTasks_andEnds() {
            pool.execute(() -> advance(SECOND));

            pool.shutdown();

            assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
            assertThat(pool.isTerminated()).isFalse();
            advance(SECOND);
            assertThat(pool.isTerminated()).isTrue();
        }

        @Test
        void taskThatWaitsForSomethingElse_isNotWaitedForForEver() throws Exception {
            CompletableFuture<String> elsewhere = new CompletableFuture<>();

            Future<String> task = pool.submit(() -> elsewhere.get(20, TimeUnit.SECONDS));
            elsewhere.complete("value");

            assertThat(task.get(20, TimeUnit.SECONDS)).isEqualTo("value");
        }

        @Test
        void taskThatIsWaitedForElsewhere_movesTimeItself() throws Exception {
            Future<Duration> task = pool.submit(() -> {
                advance(SECOND);
                return now();
            });

            assertThat(task.get(20, TimeUnit.SECONDS)).isEqualTo(SECOND);
        }

        @Test
        void lockThatATaskHas_isWaitedForWhileTheTaskGoesOn() {
            ReentrantLock lock = new ReentrantLock();
            pool.execute(() -> {
                assertThat(lock.tryLock()).isTrue();
                advance(SECOND);
                lock.unlock();
            });

            assertThat(clockwork.waiter().awaitTurn(lock, Deadline.after(time, Duration.ofMinutes(1))))
                    .isTrue();

            lock.unlock();
            assertThat(now()).isEqualTo(SECOND);
        }

        @Test
        void lockThatTheTestHas_isWaitedForByATask_whileTheTestGoesOn() throws Exception {
            ReentrantLock lock = new ReentrantLock();
            assertThat(lock.tryLock()).isTrue();

            Future<Boolean> task =
                    pool.submit(() -> clockwork.waiter().awaitTurn(lock, Deadline.after(time, Duration.ofMinutes(1))));
            assertThat(task.isDone()).isFalse();
            lock.unlock();

            assertThat(task.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Nested
    class SeveralThreads {
        @Test
        void moveTheSameTime_andAllComeToAnEnd() throws Exception {
            int threads = 4;
            ExecutorService executor = Executors.newFixedThreadPool(threads);
            ConcurrentLinkedQueue<String> outcomes = new ConcurrentLinkedQueue<>();
            try {
                List<Future<?>> tasks = new ArrayList<>();
                IntStream.range(0, threads)
                        .forEach(number -> tasks.add(executor.submit(() -> {
                            for (int i = 1; i <= 10; i++) {
                                CompletableFuture<String> future = new CompletableFuture<>();
                                Event unused = time.after(i * 1_000_000L, () -> future.complete("value"));
                                outcomes.add(await(future, Duration.ofMinutes(1)));
                                advance(Duration.ofMillis(number));
                            }
                        })));
                for (Future<?> task : tasks) {
                    task.get(20, TimeUnit.SECONDS);
                }
            } finally {
                executor.shutdownNow();
            }
            assertThat(outcomes).hasSize(threads * 10).containsOnly("value");
        }

        @Test
        void valueFromAnotherThread_isHeardOfAtOnce() throws Exception {
            CompletableFuture<String> future = new CompletableFuture<>();
            ExecutorService executor = Executors.newSingleThreadExecutor();
            try {
                Future<?> other = executor.submit(() -> advance(Duration.ofMillis(1)));
                other.get(20, TimeUnit.SECONDS);
                Future<?> completing = executor.submit(() -> future.complete("value"));

                completing.get(20, TimeUnit.SECONDS);
                assertThat(await(future, Duration.ofHours(1))).isEqualTo("value");
            } finally {
                executor.shutdownNow();
            }
        }
    }
}
