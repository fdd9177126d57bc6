// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClosingLoaderTest {
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final ClosingLoader<String, String> loader =
            new ClosingLoader<>("texts", new Slow(), new SystemWaiter(), new SystemTicker());

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
    @SuppressWarnings("NullAway") // only the scope of a load is used
    void loaderThatClosesItsCache_doesNotWaitForItself() {
        ClosingLoader<String, String> closesItself = new ClosingLoader<>(
                "texts",
                new Slow(),
                new ImpatientWaiter() {
                    @Override
                    public boolean awaitTurn(Lock lock, Deadline deadline) {
                        said.add("waited");
                        return super.awaitTurn(lock, deadline);
                    }
                },
                new SystemTicker());
        LoaderCalls<String, String> calls =
                new LoaderCalls<>(null, null, null, null, null, null, null, null, new AtomicInteger());

        try (CallScope load = calls.enter(Set.of("a"))) {
            close(closesItself);
        }
        close(closesItself);

        assertThat(said).containsExactly("closed", "waited", "closed");
    }
}
