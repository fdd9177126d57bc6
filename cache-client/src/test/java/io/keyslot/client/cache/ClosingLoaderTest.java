// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.SystemWaiter;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClosingLoaderTest {
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final ClosingLoader<String, String> loader = new ClosingLoader<>("texts", new Slow(), new SystemWaiter());

    /** Says what it does, and loads until it is released. */
    private final class Slow implements CacheLoader<String, String>, Closeable {
        @Override
        public String load(String key) {
            begun.countDown();
            try {
                assertThat(released.await(50, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            said.add("loaded " + key);
            return key;
        }

        @Override
        public Map<String, String> loadAll(Iterable<? extends String> keys) {
            said.add("loaded all");
            return Map.of();
        }

        @Override
        public void close() {
            said.add("closed");
        }
    }

    private static boolean close(Closeable closed) {
        try {
            closed.close();
            return true;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void loaderThatDoesNotEnd_isClosedWhileItRuns() throws Exception {
        CompletableFuture<String> load = CompletableFuture.supplyAsync(() -> loader.load("a"));
        begun.await();

        loader.close();

        assertThat(said).containsExactly("closed");
        released.countDown();
        assertThat(load.join()).isEqualTo("a");
    }

    @Test
    void loaderThatClosesItsCache_doesNotWaitForItself() {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        LoaderCalls calls = new LoaderCalls("texts", null, pool, pool, 1, new SystemWaiter());
        ClosingLoader<String, String> closesItself = new ClosingLoader<>("texts", new Slow(), new ImpatientWaiter() {
            @Override
            public <T> T awaitClose(CompletableFuture<T> future, Duration atMost, Supplier<T> onTimeout) {
                said.add("waited");
                return super.awaitClose(future, atMost, onTimeout);
            }
        });

        calls.call(Set.of("a"), () -> close(closesItself));
        close(closesItself);
        pool.shutdownNow();

        assertThat(said).containsExactly("closed", "waited", "closed");
    }
}
