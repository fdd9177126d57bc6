// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.jcache.SingleFlights.Flight;
import io.keyslot.client.jcache.SingleFlights.LoadResult;
import io.keyslot.client.jcache.SingleFlights.Participation;
import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SingleFlightsTest {
    private static final EncodedKey KEY = EncodedKey.of("customer:1");
    private static final long NOTHING = 0;

    /**
     * A database whose value is a number that grows. Whoever reads must get a number at least as large as the one that it
     * knew of before; and when all are done, nothing is left.
     */
    @Test
    void threads_neverGetWhatIsOlderThanWhatTheyKnow() throws Exception {
        long seed = 20260712;
        int threads = 4;
        SingleFlights<Long> shared = new SingleFlights<>(value -> value);
        AtomicLong database = new AtomicLong();
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                Random random = new Random(seed + thread);
                done.add(executor.submit(() -> {
                    start.await(10, TimeUnit.SECONDS);
                    for (int i = 0; i < 5_000; i++) {
                        long known = random.nextInt(4) == 0 ? database.incrementAndGet() : database.get();
                        assertThat(read(shared, database)).as("seed %d", seed).isGreaterThanOrEqualTo(known);
                    }
                    return "done";
                }));
            }
            for (Future<?> each : done) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(shared.size()).isZero();
    }

    private static long read(SingleFlights<Long> shared, AtomicLong database) throws Exception {
        Participation<Long> mine = shared.join(KEY, NOTHING);
        if (!mine.leads()) {
            Long joined = mine.flight().result.get(10, TimeUnit.SECONDS).value();
            return joined == null ? -1 : joined;
        }
        Flight<Long> ahead = mine.ahead();
        if (ahead != null) {
            ahead.result.get(10, TimeUnit.SECONDS);
        }
        mine.flight().begin(NOTHING);
        long loaded = database.get();
        shared.end(KEY, mine.flight(), LoadResult.of(loaded));
        return loaded;
    }
}
