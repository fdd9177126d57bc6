// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BulkheadTest {
    private final Bulkhead bulkhead = new Bulkhead(2);

    @Test
    void moreThanTheBound_isRefused() {
        assertThat(bulkhead.enter()).isTrue();
        assertThat(bulkhead.enter()).isTrue();
        assertThat(bulkhead.enter()).isFalse();
        assertThat(bulkhead.enter()).isFalse();
    }

    @Test
    void placeThatWasLeft_isFreeAgain() {
        bulkhead.enter();
        bulkhead.enter();
        bulkhead.enter();
        bulkhead.leave();
        assertThat(bulkhead.enter()).isTrue();
        assertThat(bulkhead.enter()).isFalse();
    }

    @Test
    void threads_areNeverMoreThanTheBound_andAlwaysSome() throws Exception {
        int threads = 4;
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger entered = new AtomicInteger();
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (Future<?> done : IntStream.range(0, threads)
                    .mapToObj(thread -> executor.submit(() -> {
                        start.await(10, TimeUnit.SECONDS);
                        for (int i = 0; i < 10_000; i++) {
                            if (bulkhead.enter()) {
                                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                                entered.incrementAndGet();
                                inside.decrementAndGet();
                                bulkhead.leave();
                            }
                        }
                        return thread;
                    }))
                    .toList()) {
                done.get(60, TimeUnit.SECONDS);
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(most.get()).isBetween(1, 2);
        assertThat(entered.get()).isGreaterThanOrEqualTo(10_000);
        assertThat(bulkhead.enter()).isTrue();
        assertThat(bulkhead.enter()).isTrue();
    }
}
