// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.ClientAssembly;
import io.keyslot.client.Clockwork;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.slot.PartitionId;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One manager takes its time to start. */
class ManagersAtATimeTest {
    private static final URI SLOW = URI.create("slow");
    private static final URI QUICK = URI.create("quick");

    private final CompletableFuture<Void> starting = new CompletableFuture<>();
    private final CompletableFuture<Boolean> goOn = new CompletableFuture<>();
    private final KeyslotCachingProvider provider =
            new KeyslotCachingProvider(new ClientAssembly(new RealTime(), this::partitions, null));

    @AfterEach
    void close() {
        goOn.complete(true);
        provider.close();
    }

    /** A slow manager has two partitions. */
    private EmbeddedPartitions partitions(ClientOptions options) {
        if (options.partitions().size() == 2) {
            starting.complete(null);
            if (!goOn.join()) {
                throw new CacheException("it does not start");
            }
        }
        Map<PartitionId, EmbeddedPartition> partitions = new LinkedHashMap<>();
        options.partitions()
                .forEach(each ->
                        partitions.put(each.name(), new EmbeddedPartition(each.name(), 1_000, System::nanoTime)));
        return new EmbeddedPartitions(partitions);
    }

    private CacheManager manager(URI uri) {
        Properties properties = new Properties();
        properties.setProperty("keyslot.engine", "embedded");
        properties.setProperty("keyslot.partitions", uri.equals(SLOW) ? "2" : "1");
        return provider.getCacheManager(uri, null, properties);
    }

    private CompletableFuture<CacheManager> startSlow() {
        CompletableFuture<CacheManager> slow = CompletableFuture.supplyAsync(() -> manager(SLOW));
        starting.join();
        return slow;
    }

    @Test
    void otherManagers_startAreFoundAndCloseMeanwhile() {
        CacheManager quick = manager(QUICK);
        CompletableFuture<CacheManager> slow = startSlow();

        assertThat(manager(QUICK)).isSameAs(quick);
        quick.close();
        assertThat(manager(QUICK)).isNotSameAs(quick);
        provider.close(QUICK, null);
        assertThat(slow).isNotDone();
    }

    @Test
    void failedStart_isToldToAll_andLeavesThePlaceToTheNext() {
        CompletableFuture<CacheManager> first = startSlow();
        CompletableFuture<CacheManager> second = CompletableFuture.supplyAsync(() -> manager(SLOW));
        goOn.complete(false);

        assertThatThrownBy(first::join).hasRootCauseMessage("it does not start");
        assertThatThrownBy(second::join).hasRootCauseMessage("it does not start");
        assertThat(manager(QUICK).isClosed()).isFalse();
    }

    @Test
    void managerThatIsClosedWhileItStarts_isClosedWhenItHasStarted() {
        CompletableFuture<CacheManager> slow = startSlow();
        provider.close();
        goOn.complete(true);

        assertThat(slow.join().isClosed()).isTrue();
    }

    /** The clock and threads of this machine. */
    private static final class RealTime implements Clockwork {
        private final Ticker ticker = new SystemTicker();
        private final Waiter waiter = new SystemWaiter();

        @Override
        public Ticker ticker() {
            return ticker;
        }

        @Override
        public Waiter waiter() {
            return waiter;
        }

        @Override
        public RandomGenerator seeds() {
            return new Random(1);
        }

        @Override
        public ScheduledExecutorService scheduler(String client) {
            return Executors.newSingleThreadScheduledExecutor();
        }

        @Override
        public ExecutorService pool(String client, String role, int threads, int queue) {
            return Executors.newFixedThreadPool(threads);
        }
    }
}
