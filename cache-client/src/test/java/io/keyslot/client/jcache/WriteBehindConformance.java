// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.failure.CacheOverloadedException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.event.EventType;
import javax.cache.integration.CacheWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writing behind: the cache first, the writer later, and every change that the cache has made. */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class WriteBehindConformance extends JCacheConformance {
    /** Longer than a test takes. */
    private static final WriteBehindOptions LATER =
            WriteBehindOptions.defaults().withDelay(Duration.ofMinutes(10));

    private static final Duration LONG = Duration.ofSeconds(30);

    private final RecordingWriter<String, String> writer = new RecordingWriter<>();
    private final MapLoader<String, String> loader = MapLoader.answering(key -> "old " + key);
    private final RecordingListener<String, String> listener = new RecordingListener<>();
    private PartitionedCache<String, String> cache;

    @BeforeEach
    void createCache() {
        cache = createWith(writer, LATER);
    }

    private PartitionedConfiguration<String, String> configured(
            CacheWriter<String, String> given, WriteBehindOptions options) {
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setWriteBehind(options);
        configuration.setWriteThrough(true).setCacheWriterFactory(() -> given);
        return configuration;
    }

    @SuppressWarnings("unchecked")
    private PartitionedCache<String, String> createWith(CacheWriter<String, String> given, WriteBehindOptions options) {
        manager.destroyCache(NAME);
        return create(configured(given, options)).unwrap(PartitionedCache.class);
    }

    @SuppressWarnings("unchecked")
    private PartitionedCache<String, String> createReading() {
        manager.destroyCache(NAME);
        PartitionedConfiguration<String, String> configuration = configured(writer, LATER);
        configuration.setReadThrough(true).setCacheLoaderFactory(() -> loader);
        return create(configuration).unwrap(PartitionedCache.class);
    }

    private void flush() {
        assertThat(cache.flushWrites(LONG)).isTrue();
    }

    @Test
    void change_isInTheCacheAtOnceAndWrittenLater() {
        cache.put("k", "1");
        assertThat(cache.get("k")).isEqualTo("1");
        assertThat(writer.takeWrites()).isEmpty();

        flush();

        assertThat(writer.takeWrites()).containsExactly("write k=1");
    }

    @Test
    void change_isWrittenWithoutBeingAskedFor() {
        cache = createWith(writer, LATER.withDelay(Duration.ofMillis(1)));
        cache.put("k", "1");
        await("the write").atMost(LONG).until(() -> writer.takeWrites().contains("write k=1"));
    }

    @Test
    void everyKindOfChange_isWritten() {
        cache.getAndPut("getAndPut", "1");
        cache.putIfAbsent("putIfAbsent", "1");
        cache.put("replace", "0");
        cache.replace("replace", "1");
        cache.put("replaceEqual", "0");
        cache.replace("replaceEqual", "0", "1");
        cache.put("getAndReplace", "0");
        cache.getAndReplace("getAndReplace", "1");
        cache.invoke("invoke", (entry, arguments) -> {
            entry.setValue("1");
            return true;
        });
        cache.put("remove", "0");
        cache.remove("remove");
        cache.put("getAndRemove", "0");
        cache.getAndRemove("getAndRemove");
        flush();

        assertThat(writer.takeWrites())
                .containsExactlyInAnyOrder(
                        "write getAndPut=1",
                        "write putIfAbsent=1",
                        "write replace=1",
                        "write replaceEqual=1",
                        "write getAndReplace=1",
                        "write invoke=1",
                        "delete remove",
                        "delete getAndRemove");
    }

    @Test
    void changesThatAreNotMade_areNotWritten() {
        cache.put("k", "1");
        flush();
        writer.takeWrites();
        cache.putIfAbsent("k", "2");
        cache.replace("k", "wrong", "2");
        cache.replace("absent", "2");
        cache.remove("k", "wrong");
        flush();
        assertThat(writer.takeWrites()).isEmpty();
    }

    @Test
    void changesOfAKey_areWrittenOnce() {
        IntStream.range(0, 100).forEach(i -> cache.put("k", Integer.toString(i)));
        flush();
        assertThat(writer.takeWrites()).containsExactly("write k=99");
    }

    @Test
    void bulkChanges_areWritten() {
        Map<String, String> entries =
                IntStream.range(0, 1_200).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v" + i));
        cache.putAll(entries);
        flush();
        assertThat(writer.takeWrites()).hasSize(1_200).contains("write k0=v0");

        cache.removeAll(Set.of("k0", "absent"));
        flush();
        assertThat(writer.takeWrites()).containsExactlyInAnyOrder("delete k0", "delete absent");

        cache.removeAll();
        flush();
        assertThat(writer.takeWrites()).hasSize(1_199);
    }

    @Test
    void bulkChangesThatListenersHearOf_areWritten() {
        cache.registerCacheEntryListener(listener.synchronous());
        cache.putAll(Map.of("a", "1", "b", "1"));
        cache.removeAll(Set.of("a"));
        flush();
        assertThat(writer.takeWrites()).containsExactlyInAnyOrder("write b=1", "delete a");
        assertThat(listener.takeEvents()).containsExactlyInAnyOrder("CREATED a=1", "CREATED b=1", "REMOVED a=1");
    }

    @Test
    void listener_mayChangeTheEntriesOfTheBulkChangeThatItHearsOf() {
        Map<String, String> entries =
                IntStream.range(0, 20).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v" + i));
        RecordingListener<String, String> changing = new RecordingListener<>(event -> {
            if (event.getEventType() == EventType.CREATED) {
                entries.keySet().forEach(key -> cache.replace(key, entries.get(key), "changed"));
            }
        });
        cache.registerCacheEntryListener(changing.synchronous());

        cache.putAll(entries);

        Map<String, String> cached = cache.getAll(entries.keySet());
        flush();
        assertThat(cached).hasSize(20).containsValue("changed");
        String[] writes = cached.entrySet().stream()
                .map(entry -> "write " + entry.getKey() + "=" + entry.getValue())
                .toArray(String[]::new);
        assertThat(writer.takeWrites()).containsExactlyInAnyOrder(writes);
        assertThat(cache.getAll(entries.keySet())).isEqualTo(cached);
    }

    @Test
    void bulkChangeOfMoreKeysThanMayWait_isWrittenAsItGoes() {
        cache = createWith(writer, LATER.withQueue(10));
        Map<String, String> entries =
                IntStream.range(0, 95).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v" + i));
        cache.putAll(entries);
        assertThat(cache.getAll(entries.keySet())).isEqualTo(entries);
        flush();
        assertThat(writer.takeWrites()).hasSize(95);
    }

    @Test
    void valueThatTheApplicationChangesLater_isWrittenAsItWas() {
        manager.destroyCache(NAME);
        RecordingWriter<String, int[]> arrays = new RecordingWriter<>(value -> Integer.toString(value[0]));
        PartitionedConfiguration<String, int[]> configuration =
                new PartitionedConfiguration<String, int[]>().setTypes(String.class, int[].class);
        configuration.setWriteBehind(LATER).setWriteThrough(true).setCacheWriterFactory(() -> arrays);
        Cache<String, int[]> ofArrays = create(configuration);
        int[] value = {1};
        ofArrays.put("k", value);
        value[0] = 2;
        ofArrays.clear();
        ofArrays.close();
        assertThat(arrays.takeWrites()).containsExactly("write k=1");
    }

    @Test
    void clear_isNotWritten_andWhatWaitsIs() {
        cache.put("k", "1");
        cache.clear();
        flush();
        assertThat(writer.takeWrites()).containsExactly("write k=1");
    }

    @Test
    void close_writesWhatWaits() {
        cache.put("k", "1");
        cache.clear(); // nothing is to be left for other tests
        cache.close();
        assertThat(writer.takeWrites()).containsExactly("write k=1");
    }

    @Test
    void closeOfTheManager_writesWhatWaits() {
        cache.put("k", "1");
        cache.clear();
        manager.close();
        assertThat(writer.takeWrites()).containsExactly("write k=1");
    }

    @Test
    void failureOfTheWriter_doesNotReachTheCaller() {
        writer.failFor("k");
        cache.put("k", "1");
        cache.put("l", "1");
        assertThat(cache.flushWrites(Duration.ZERO)).isFalse();
        assertThat(cache.get("k")).isEqualTo("1");
        await("the write of the other")
                .atMost(LONG)
                .until(() -> writer.takeWrites().contains("write l=1"));
        writer.failFor(); // otherwise closing the cache waits for it
    }

    @Test
    void fullQueue_refusesAndChangesNothing() {
        CountDownLatch released = new CountDownLatch(1);
        RecordingWriter<String, String> slow = new RecordingWriter<>();
        slow.beforeEach(() -> Threads.await(released));
        cache = createWith(slow, LATER.withQueue(2));
        cache.putAll(Map.of("a", "1", "b", "1"));
        try {
            assertThatThrownBy(() -> cache.put("c", "1")).isInstanceOf(CacheOverloadedException.class);
            assertThatThrownBy(() -> cache.putAll(Map.of("c", "1", "d", "1")))
                    .isInstanceOfSatisfying(
                            CacheOverloadedException.class,
                            refused -> assertThat(refused.failedKeys()).isEqualTo(Set.of("c", "d")));
            assertThat(cache.containsKey("c")).isFalse();
            cache.put("a", "2");
        } finally {
            released.countDown();
        }
        assertThat(cache.flushWrites(LONG)).isTrue();
        assertThat(slow.takeWrites()).doesNotContain("write c=1").contains("write a=2");
    }

    @Test
    void readThatMisses_findsTheChangeThatWaits() {
        cache = createReading();
        cache.put("put", "new");
        cache.put("deleted", "new");
        cache.remove("deleted");
        cache.clear(); // as an eviction would

        assertThat(cache.get("put")).isEqualTo("new");
        assertThat(cache.get("deleted")).isNull();
        cache.clear();
        assertThat(cache.getAll(Set.of("put", "deleted", "other")))
                .isEqualTo(Map.of("put", "new", "other", "old other"));
        assertThat(loader.takeAsked()).containsExactly("other");
    }

    @Test
    void readThatMissesAfterTheWrite_loads() {
        cache = createReading();
        cache.put("k", "new");
        flush();
        cache.clear();
        assertThat(cache.get("k")).isEqualTo("old k");
    }

    @Test
    void flushOfACacheThatWritesThrough_hasNothingToDo() {
        manager.destroyCache(NAME);
        @SuppressWarnings("unchecked")
        PartitionedCache<String, String> through = createStrings().unwrap(PartitionedCache.class);
        through.put("k", "1");
        assertThat(through.flushWrites(Duration.ZERO)).isTrue();
    }
}
