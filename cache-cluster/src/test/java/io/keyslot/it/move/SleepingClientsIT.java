// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.config.Access;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.move.Migration;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.MapInMemory;
import io.keyslot.it.OtherJvm;
import io.keyslot.it.SideBySide;
import io.keyslot.it.fault.FaultProxy;
import io.keyslot.it.fault.NetworkFault;
import io.keyslot.slot.PartitionId;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.cache.Cache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A client does nothing, or reaches nobody, for the whole of a move, while another one works. Then it goes on with what it believes:
 * nothing that it writes is stored where the slots are no more, and what it is told was written is there.
 */
@Tag("thorough")
@SideBySide
class SleepingClientsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final MovingServers servers = new MovingServers();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
    private final Queue<String> failed = new ConcurrentLinkedQueue<>();
    private final AtomicLong count = new AtomicLong();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        threads.shutdownNow();
        servers.close();
    }

    private void move() {
        String move = servers.begin(MovingServers.FIRST, MovingServers.SECOND);
        Migration run = servers.run(move, "coordinator", step -> {});
        assertThat(run.run()).as(run.progress().toString()).isEqualTo(Migration.Outcome.FINISHED);
        assertThat(run.progress().lastTrouble()).isEmpty();
    }

    private void awaitMoreWrites() {
        long before = count.get();
        await().atMost(LIMIT).until(() -> count.get() > before + 50);
    }

    private void assertAllIsThere() throws Exception {
        servers.rest();
        assertThat(servers.failures()).isEmpty();
        servers.assertNothingIsLeft();
        acknowledged.forEach(
                (key, value) -> assertThat(servers.cache().get(key)).isGreaterThanOrEqualTo(value));
    }

    @Test
    void processThatStandsStill_goesOnWithTheNewMap() throws Exception {
        servers.work();
        OtherJvm other = OtherJvm.start(ClientMain.class, servers.uris().toArray(String[]::new));
        open.add(other);
        Future<?> listening = threads.submit(() -> listen(other));
        awaitMoreWrites();

        other.suspend();
        move();
        other.resume();

        awaitMoreWrites();
        other.close();
        listening.get(10, TimeUnit.SECONDS);
        assertThat(failed)
                .as("its calls, of which one was longer than it may take")
                .hasSizeLessThanOrEqualTo(1);
        assertAllIsThere();
    }

    private Void listen(OtherJvm other) throws IOException {
        try {
            while (true) {
                String line = other.readLine();
                if (line.equals(ClientMain.READY)) {
                    other.say(String.join(",", servers.keysOfOthers()));
                } else if (line.startsWith(Pipe.ACKNOWLEDGED)) {
                    String[] words = line.split(" ", -1);
                    acknowledge(words[1], Long.parseLong(words[2]));
                } else if (line.startsWith(Pipe.FAILED)) {
                    failed.add(line);
                } else {
                    assertThat(Pipe.isAnswered(other, line, servers.maps()))
                            .as(line)
                            .isTrue();
                }
            }
        } catch (AssertionError | IOException ended) {
            return null; // it was killed
        }
    }

    private void acknowledge(String key, long value) {
        acknowledged.put(key, value);
        count.incrementAndGet();
    }

    @Test
    void clientThatIsCutOff_goesOnWithTheNewMap() throws Exception {
        servers.work();
        Map<PartitionId, FaultProxy> proxies = new ConcurrentHashMap<>();
        for (PartitionId id : MovingServers.ALL) {
            LocalServer server = servers.server(id);
            FaultProxy proxy = new FaultProxy(server.port());
            open.add(proxy);
            proxies.put(id, proxy);
        }
        AtomicBoolean isCutOff = new AtomicBoolean();
        Cache<String, Long> cache = servers.manager(
                        "cut-off", options -> new Proxied(servers.maps().source(options), proxies, isCutOff))
                .createCache(MovingServers.CACHE, MovingServers.strict());
        AtomicBoolean works = new AtomicBoolean(true);
        Future<?> writer = threads.submit(() -> {
            for (long value = 1; works.get(); value++) {
                for (String key : servers.keysOfOthers()) {
                    write(cache, key, value);
                }
            }
        });
        awaitMoreWrites();

        isCutOff.set(true);
        for (FaultProxy proxy : proxies.values()) {
            proxy.set(NetworkFault.FREEZE);
        }
        move();
        isCutOff.set(false);
        for (FaultProxy proxy : proxies.values()) {
            proxy.set(NetworkFault.NONE);
        }

        awaitMoreWrites();
        works.set(false);
        writer.get(30, TimeUnit.SECONDS);
        assertAllIsThere();
    }

    private void write(Cache<String, Long> cache, String key, long value) {
        try {
            cache.put(key, value);
            acknowledge(key, value);
        } catch (RuntimeException e) {
            failed.add(e.toString());
        }
    }

    /** The map, as somebody sees it who reaches the servers through proxies; while he is cut off he hears nothing. */
    private record Proxied(TopologySource real, Map<PartitionId, FaultProxy> proxies, AtomicBoolean isCutOff)
            implements TopologySource {
        @Override
        public Layout first() {
            return proxied(real.first());
        }

        private Layout proxied(Layout layout) {
            List<PartitionOptions> partitions = layout.partitions().stream()
                    .map(partition -> new PartitionOptions(
                            partition.name(),
                            PartitionUriParser.uri(Objects.requireNonNull(proxies.get(partition.name()))
                                    .uri()),
                            Access.NONE))
                    .toList();
            return new Layout(layout.slotMap(), partitions, layout.onTheirWay());
        }

        @Override
        public void listen(Consumer<Layout> told) {
            real.listen(layout -> {
                if (!isCutOff.get()) {
                    told.accept(proxied(layout));
                }
            });
        }

        @Override
        public boolean isSought(long version, PartitionId partition) {
            return real.isSought(version, partition);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    /** The other process: writes rising numbers under some keys until it is killed, and says which of them were acknowledged. */
    static final class ClientMain {
        static final String READY = "ready";
        private static final long BETWEEN_CALLS_NANOS = 1_000_000;

        private ClientMain() {}

        /** Asks this process's parent for the map: at first, and when a partition says that there is a newer one. */
        private static final class Source implements TopologySource {
            private final Pipe.Asking maps;
            private final ExecutorService thread = Executors.newSingleThreadExecutor();
            private volatile Consumer<Layout> listener = layout -> {};

            Source(Pipe.Asking maps) {
                this.maps = maps;
            }

            @Override
            public Layout first() {
                return layout();
            }

            private Layout layout() {
                PartitionMap map = maps.read();
                return MapInMemory.layout(map);
            }

            @Override
            public void listen(Consumer<Layout> told) {
                listener = told;
            }

            @Override
            public boolean isSought(long version, PartitionId partition) {
                thread.execute(() -> listener.accept(layout()));
                return true;
            }

            @Override
            public void close() {
                thread.shutdownNow();
            }
        }

        /** Takes the addresses of the servers. */
        public static void main(String[] arguments) {
            Pipe.Asking parent = new Pipe.Asking();
            Properties properties = new Properties();
            properties.putAll(KeyslotManagers.LONG_DEADLINES);
            properties.setProperty("keyslot.partitions", String.join(",", arguments));
            KeyslotCachingProvider provider =
                    new KeyslotCachingProvider(new ClientAssembly(options -> new Source(parent)));
            PartitionedCacheManager manager = provider.getCacheManager(
                            URI.create("other"), ClientMain.class.getClassLoader(), properties)
                    .unwrap(PartitionedCacheManager.class);
            Cache<String, Long> cache = manager.createCache(MovingServers.CACHE, MovingServers.strict());
            List<String> keys = List.of(parent.ask(READY).split(","));
            for (long value = 1; ; value++) {
                for (String key : keys) {
                    write(cache, key, value);
                }
            }
        }

        private static void write(Cache<String, Long> cache, String key, long value) {
            try {
                cache.put(key, value);
                System.out.println(Pipe.ACKNOWLEDGED + key + " " + value);
            } catch (RuntimeException e) {
                System.out.println(Pipe.FAILED + key + " " + value + " " + e);
            }
            LockSupport.parkNanos(BETWEEN_CALLS_NANOS);
        }
    }
}
