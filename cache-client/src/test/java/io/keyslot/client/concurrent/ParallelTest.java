// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.jcache.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ParallelTest {
    private final Waiter waiter = new SystemWaiter();
    private final List<Integer> done = Collections.synchronizedList(new ArrayList<>());

    private List<Runnable> tasks(int count) {
        List<Runnable> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            tasks.add(() -> done.add(number));
        }
        return tasks;
    }

    @Test
    void fullPool_isNoFailure() {
        Parallel parallel = new Parallel(
                task -> {
                    throw new RejectedExecutionException("full");
                },
                waiter);

        assertThat(parallel.run(tasks(3))).isTrue();

        assertThat(done).containsExactly(0, 1, 2);
    }

    @Nested
    class WithThreads {
        private final ExecutorService pool = Executors.newFixedThreadPool(2);
        private final Parallel parallel = new Parallel(pool, waiter);

        @AfterEach
        void close() {
            pool.shutdownNow();
        }

        @Test
        void tasks_runAtTheSameTime() {
            CountDownLatch all = new CountDownLatch(3);
            Set<Thread> threads = ConcurrentHashMap.newKeySet();
            Runnable task = () -> {
                all.countDown();
                Threads.await(all);
                threads.add(Thread.currentThread());
            };

            assertThat(parallel.run(List.of(task, task, task))).isTrue();

            assertThat(threads).hasSize(3).contains(Thread.currentThread());
        }

        @Test
        void threadsOfThePoolThatCallThemselves_doNotWaitForEachOther() {
            AtomicInteger ended = new AtomicInteger();
            Runnable nested = () -> parallel.run(List.of(ended::incrementAndGet, ended::incrementAndGet));
            Runnable outer = () -> parallel.run(List.of(nested, nested, nested));

            boolean all = Threads.withinTenSeconds(() -> parallel.run(List.of(outer, outer, outer, outer)));

            assertThat(all).isTrue();
            assertThat(ended).hasValue(24);
        }

        @Test
        void failureOnAThreadOfThePool_reachesTheCaller() {
            IllegalStateException failure = new IllegalStateException("of the application");
            CountDownLatch failed = new CountDownLatch(1);
            Runnable own = () -> Threads.await(failed);
            Runnable failing = () -> {
                failed.countDown();
                throw failure;
            };

            assertThatThrownBy(() -> parallel.run(List.of(own, failing))).isSameAs(failure);
        }

        @Test
        void callerThatIsInterrupted_doesNotWait() {
            CountDownLatch released = new CountDownLatch(1);
            CountDownLatch begun = new CountDownLatch(1);
            Runnable slow = () -> {
                begun.countDown();
                Threads.await(released);
            };
            Runnable interrupting = () -> {
                Threads.await(begun);
                Thread.currentThread().interrupt();
            };

            assertThat(parallel.run(List.of(interrupting, slow))).isFalse();
            assertThat(Thread.interrupted()).isTrue();
            released.countDown();
        }
    }
}
