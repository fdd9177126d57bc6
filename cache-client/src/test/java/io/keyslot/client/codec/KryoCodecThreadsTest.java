// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class KryoCodecThreadsTest {
    private static final int THREADS = 8;
    private static final int ROUNDS = 1_000;

    private final KryoCodec codec = KryoCodec.create(
            AllowedClasses.of(List.of("io.keyslot.client.codec.*")), getClass().getClassLoader());

    @Test
    void oneCodec_servesManyThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Boolean>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                tasks.add(() -> roundTrips(number));
            }

            for (Future<Boolean> result : threads.invokeAll(tasks, 60, TimeUnit.SECONDS)) {
                assertThat(result.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private boolean roundTrips(int thread) {
        for (int i = 0; i < ROUNDS; i++) {
            Map<String, List<Item>> value = Map.of("a", List.of(new Item(thread, i)), "b", List.of());
            if (!codec.decode(ByteBuffer.wrap(codec.encode(value))).equals(value)) {
                return false;
            }
        }
        return true;
    }

    record Item(int thread, long round) {}
}
