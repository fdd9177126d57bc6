// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.jcache.MapLoader;
import io.keyslot.cluster.local.ClusterNode;
import io.keyslot.cluster.local.LocalCluster;
import io.keyslot.it.KeyslotManagers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every call about many keys, in an order by chance and with keys by chance, while slots move: each does what it says, for every
 * key. What a node has sent elsewhere, it has not done.
 */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before each test
class ClusterBulkIT {
    private static final int KEYS = 1_500;
    private static final int SLOTS = 2_000;
    private static final long SEED = 17;

    private final Random random = new Random(SEED);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<Integer, Integer> expected = new HashMap<>();
    private final Map<Integer, Set<String>> rows = new HashMap<>();
    private LocalCluster cluster;
    private CacheManager manager;
    private PartitionedCacheManager groups;
    private Cache<Integer, Integer> cache;

    @BeforeEach
    void start() {
        cluster = LocalCluster.start(3, 0);
        manager = KeyslotManagers.openCluster("cluster-bulk", cluster);
        groups = manager.unwrap(PartitionedCacheManager.class);
        cache = manager.createCache(
                "many",
                new MutableConfiguration<Integer, Integer>()
                        .setTypes(Integer.class, Integer.class)
                        .setCacheLoaderFactory(() -> MapLoader.answering(key -> -key)));
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        manager.close();
        cluster.close();
    }

    private enum Call {
        GET_ALL,
        PUT_ALL,
        REMOVE_ALL,
        REMOVE_EVERYTHING,
        CLEAR,
        LOAD_ALL,
        INVOKE_ALL,
        CONTAINS,
        PUT_ROWS,
        REMOVE_GROUP
    }

    @Test
    void callsAboutManyKeys_whileSlotsMove_doWhatTheySay() throws Exception {
        List<ClusterNode> nodes = cluster.primaries();
        Future<?> moving = threads.submit(() -> {
            cluster.reshard(nodes.get(0), nodes.get(1), SLOTS);
            cluster.reshard(nodes.get(1), nodes.get(2), SLOTS);
        });
        Set<Call> made = EnumSet.noneOf(Call.class);
        do {
            Call call = Call.values()[random.nextInt(Call.values().length)];
            make(call);
            made.add(call);
            assertThat(cache.getAll(everyKey()))
                    .as("after %s of seed %d", call, SEED)
                    .isEqualTo(expected);
        } while (!moving.isDone() || made.size() < Call.values().length);
        moving.get(60, TimeUnit.SECONDS);

        assertThat(cache.getAll(everyKey())).isEqualTo(expected);
        rows.forEach((id, names) -> assertThat(rowsOf(id).ids()).containsExactlyInAnyOrderElementsOf(names));
    }

    private static Set<Integer> everyKey() {
        return IntStream.range(0, KEYS).boxed().collect(Collectors.toSet());
    }

    private Set<Integer> some() {
        int count = 1 + random.nextInt(KEYS);
        return random.ints(count, 0, KEYS).boxed().collect(Collectors.toSet());
    }

    private void make(Call call) throws Exception {
        switch (call) {
            case GET_ALL -> getSome();
            case PUT_ALL -> putSome();
            case REMOVE_ALL -> removeSome();
            case REMOVE_EVERYTHING -> {
                cache.removeAll();
                expected.clear();
            }
            case CLEAR -> {
                cache.clear();
                expected.clear();
            }
            case LOAD_ALL -> loadSome();
            case INVOKE_ALL -> invokeSome();
            case CONTAINS -> lookForSome();
            case PUT_ROWS -> putRows();
            case REMOVE_GROUP -> removeGroup();
        }
    }

    private void getSome() {
        Set<Integer> keys = some();
        Map<Integer, Integer> wanted = new HashMap<>(expected);
        wanted.keySet().retainAll(keys);
        assertThat(cache.getAll(keys)).isEqualTo(wanted);
    }

    private void putSome() {
        Map<Integer, Integer> entries = new HashMap<>();
        some().forEach(key -> entries.put(key, random.nextInt()));
        cache.putAll(entries);
        expected.putAll(entries);
    }

    private void removeSome() {
        Set<Integer> keys = some();
        cache.removeAll(keys);
        expected.keySet().removeAll(keys);
    }

    private void loadSome() throws Exception {
        Set<Integer> keys = some();
        CompletionListenerFuture loaded = new CompletionListenerFuture();
        cache.loadAll(keys, true, loaded);
        loaded.get(60, TimeUnit.SECONDS);
        keys.forEach(key -> expected.put(key, -key));
    }

    private void invokeSome() {
        Set<Integer> keys = some();
        cache.<Integer>invokeAll(keys, (entry, arguments) -> {
                    entry.setValue(entry.exists() ? entry.getValue() + 1 : 0);
                    return entry.getKey();
                })
                .values()
                .forEach(result -> assertThat(keys).contains(result.get()));
        keys.forEach(key -> expected.merge(key, 0, (before, first) -> before + 1));
    }

    private void lookForSome() {
        for (int i = 0; i < 20; i++) {
            int key = random.nextInt(KEYS);
            assertThat(cache.containsKey(key)).isEqualTo(expected.containsKey(key));
        }
    }

    private GroupRows<String> rowsOf(int id) {
        CacheGroup group = groups.group(EntityKey.of("owner", id));
        return group.rows("row", String.class);
    }

    private void putRows() {
        int id = random.nextInt(20);
        Map<String, String> added = new HashMap<>();
        random.ints(30, 0, 1_000).forEach(row -> added.put("r" + row, "value " + row));
        added.forEach(rowsOf(id)::put);
        rows.computeIfAbsent(id, first -> new HashSet<>()).addAll(added.keySet());
    }

    private void removeGroup() {
        for (int id : new ArrayList<>(rows.keySet())) {
            assertThat(rowsOf(id).ids()).hasSameSizeAs(rows.get(id));
        }
        int id = random.nextInt(20);
        groups.group(EntityKey.of("owner", id)).removeAll();
        rows.remove(id);
        assertThat(rowsOf(id).ids()).isEmpty();
    }
}
