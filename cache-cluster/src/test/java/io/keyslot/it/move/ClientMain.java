// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.MapInMemory;
import io.keyslot.slot.PartitionId;
import java.net.URI;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.cache.Cache;

/** The other process: writes rising numbers under some keys until it is killed, and says which of them were acknowledged. */
final class ClientMain {
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
        KeyslotCachingProvider provider = new KeyslotCachingProvider(new ClientAssembly(options -> new Source(parent)));
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
