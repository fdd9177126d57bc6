// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that has no memory left and must not evict. */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class FullServerIT {
    private TestServers servers;
    private CacheManager manager;

    @BeforeEach
    void open() {
        servers = TestServers.start(1);
        manager = KeyslotManagers.openPatiently("full", servers.uris());
    }

    @AfterEach
    void close() throws Exception {
        manager.close();
        servers.close();
    }

    private static MutableConfiguration<String, String> texts() {
        return new MutableConfiguration<String, String>().setTypes(String.class, String.class);
    }

    private void fill() throws Exception {
        try (Resp admin = new Resp(servers.ports().get(0))) {
            admin.ask("CONFIG", "SET", "maxmemory-policy", "noeviction");
            admin.ask("CONFIG", "SET", "maxmemory", "1");
        }
    }

    @Test
    void countersGoOn_whereTheyWereBeforeChangesWereRefused() throws Exception {
        assertCountersGoOn(manager.createCache("plain", texts()));
    }

    @Test
    void countersGoOn_whereTheyWereBeforeChangesWereRefused_withListenersToo() throws Exception {
        assertCountersGoOn(manager.createCache(
                "heard",
                texts().addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(
                        FactoryBuilder.factoryOf(Silent.class), null, false, true))));
    }

    private void assertCountersGoOn(Cache<String, String> cache) throws Exception {
        for (int i = 1; i <= 10; i++) {
            assertThat(increment(cache)).isEqualTo(i);
        }
        fill();
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> increment(cache)).isInstanceOf(PartitionUnavailableException.class);
            assertThat(cache.get("counter")).isEqualTo("10");
        }
        try (Resp admin = new Resp(servers.ports().get(0))) {
            admin.ask("CONFIG", "SET", "maxmemory", "0");
        }

        assertThat(increment(cache)).isEqualTo(11);
    }

    private static int increment(Cache<String, String> cache) {
        return cache.invoke("counter", (entry, arguments) -> {
            int next = entry.exists() ? Integer.parseInt(entry.getValue()) + 1 : 1;
            entry.setValue(Integer.toString(next));
            return next;
        });
    }

    @Test
    void readThroughTheLoader_works() throws Exception {
        Cache<String, String> cache = manager.createCache(
                "loaded", texts().setReadThrough(true).setCacheLoaderFactory(FactoryBuilder.factoryOf(Loading.class)));
        cache.put("there", "there");
        fill();

        assertThat(cache.get("there")).isEqualTo("there");
        assertThat(cache.get("k")).isEqualTo("loaded k");
        assertThat(cache.getAll(Set.of("k", "l"))).isEqualTo(Map.of("k", "loaded k", "l", "loaded l"));
        assertThat(cache.containsKey("k")).isFalse();
    }

    /** Hears of changes, so that they are made one after the other. */
    public static final class Silent implements CacheEntryUpdatedListener<String, String> {
        @Override
        public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {}
    }

    /** Loads a text that says for which key it is. */
    public static final class Loading implements CacheLoader<String, String> {
        @Override
        public String load(String key) {
            return "loaded " + key;
        }

        @Override
        public Map<String, String> loadAll(Iterable<? extends String> keys) {
            Map<String, String> loaded = new HashMap<>();
            keys.forEach(key -> loaded.put(key, load(key)));
            return loaded;
        }
    }
}
