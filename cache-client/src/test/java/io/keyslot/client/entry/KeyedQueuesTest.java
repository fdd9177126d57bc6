// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.stored.EncodedKey;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyedQueuesTest {
    private static final EncodedKey A = EncodedKey.of("texts:a");
    private static final EncodedKey B = EncodedKey.of("texts:b");
    private static final long DEADLINE_SECONDS = 10;

    private final KeyedQueues queues = new KeyedQueues(new SystemWaiter(), new SystemTicker());
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static <T> T resultOf(Future<T> future) throws Exception {
        return future.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    /** Stands in the queue of a key on another thread until the latch is open. */
    private Future<?> hold(EncodedKey key, CountDownLatch release) {
        CountDownLatch holding = new CountDownLatch(1);
        Future<?> holder = threads.submit(() -> queues.inTurn(key, () -> {
            holding.countDown();
            awaitLatch(release);
            return true;
        }));
        awaitLatch(holding);
        return holder;
    }

    @Test
    void changesOfOneKey_runOneAfterTheOther() throws Exception {
        AtomicInteger running = new AtomicInteger();
        Callable<Integer> change = () -> queues.inTurn(A, () -> {
            int together = running.incrementAndGet();
            running.decrementAndGet();
            return together;
        });

        for (Future<Integer> together : threads.invokeAll(Collections.nCopies(50, change))) {
            assertThat(resultOf(together)).isEqualTo(1);
        }
    }

    @Test
    void nestedChangesInOppositeOrder_endSoon() throws Exception {
        CountDownLatch bothStand = new CountDownLatch(2);
        Future<String> first = threads.submit(() -> nested(A, B, bothStand));
        Future<String> second = threads.submit(() -> nested(B, A, bothStand));

        assertThat(resultOf(first)).isEqualTo("inner");
        assertThat(resultOf(second)).isEqualTo("inner");
        assertThat(queues.size()).isZero();
    }

    private String nested(EncodedKey outer, EncodedKey inner, CountDownLatch bothStand) {
        return queues.inTurn(outer, () -> {
            bothStand.countDown();
            awaitLatch(bothStand);
            return queues.inTurn(inner, () -> "inner");
        });
    }

    @Test
    void interruptedThread_goesOnWithoutItsTurnAndStaysInterrupted() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Future<?> holder = hold(A, release);
        Future<Boolean> interrupted = threads.submit(() -> {
            Thread.currentThread().interrupt();
            return queues.inTurn(A, () -> Thread.currentThread().isInterrupted());
        });

        assertThat(resultOf(interrupted)).isTrue();

        release.countDown();
        resultOf(holder);
        await().untilAsserted(() -> assertThat(queues.size()).isZero());
    }
}
