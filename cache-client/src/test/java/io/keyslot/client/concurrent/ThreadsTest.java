// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThreadsTest {
    @Test
    void threads_areNamedDaemons() throws Exception {
        ExecutorService pool = Threads.pool("shop", "async", 4, 10);
        ScheduledThreadPoolExecutor scheduler = Threads.scheduler("shop");
        try {
            Thread ofPool = pool.submit(Thread::currentThread).get(10, TimeUnit.SECONDS);
            Thread ofScheduler = scheduler.submit(Thread::currentThread).get(10, TimeUnit.SECONDS);

            assertThat(ofPool.getName()).isEqualTo("keyslot-shop-async-1");
            assertThat(ofPool.isDaemon()).isTrue();
            assertThat(ofScheduler.getName()).isEqualTo("keyslot-shop-timer-1");
            assertThat(ofScheduler.isDaemon()).isTrue();
        } finally {
            pool.shutdownNow();
            scheduler.shutdownNow();
        }
    }

    @Test
    void pool_isBoundedInThreadsAndInWhatWaits() throws Exception {
        ExecutorService pool = Threads.pool("shop", "async", 1, 1);
        CountDownLatch release = new CountDownLatch(1);
        try {
            Future<Boolean> running = pool.submit(() -> release.await(10, TimeUnit.SECONDS));
            Future<Boolean> waiting = pool.submit(() -> true);

            assertThatThrownBy(() -> pool.submit(() -> true)).isInstanceOf(RejectedExecutionException.class);

            release.countDown();
            assertThat(running.get(10, TimeUnit.SECONDS)).isTrue();
            assertThat(waiting.get(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            pool.shutdownNow();
        }
    }
}
