// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Entry processors: atomic, with their net effect only. */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class ProcessorConformance extends JCacheConformance {
    private static final EntryProcessor<String, Integer, Integer> INCREMENT = (entry, arguments) -> {
        int next = entry.exists() ? entry.getValue() + 1 : 1;
        entry.setValue(next);
        return next;
    };

    private final RecordingWriter<String, Integer> writer = new RecordingWriter<>();
    private final MapLoader<String, Integer> loader = MapLoader.answering(key -> key.startsWith("loadable") ? 7 : null);
    private Cache<String, Integer> cache;

    @BeforeEach
    void createCache() {
        cache = create(numbers()
                .setReadThrough(true)
                .setCacheLoaderFactory(() -> loader)
                .setWriteThrough(true)
                .setCacheWriterFactory(() -> writer));
    }

    @Test
    void setThenSet_writesTheLast() {
        invoke("k", entry -> {
            entry.setValue(1);
            entry.setValue(2);
        });
        assertThat(cache.get("k")).isEqualTo(2);
        assertThat(writer.takeWrites()).containsExactly("write k=2");
    }

    @Test
    void removeThenSetOfAPresentEntry_isOneWrite() {
        cache.put("k", 1);
        writer.takeWrites();
        invoke("k", entry -> {
            entry.remove();
            entry.setValue(2);
        });
        assertThat(cache.get("k")).isEqualTo(2);
        assertThat(writer.takeWrites()).containsExactly("write k=2");
    }

    @Test
    void processorSeesItsOwnChanges() {
        List<@Nullable Object> seen = new ArrayList<>();
        invoke("k", entry -> {
            seen.add(entry.exists());
            entry.setValue(1);
            seen.add(entry.exists());
            seen.add(entry.getValue());
            entry.remove();
            seen.add(entry.exists());
        });
        assertThat(seen).containsExactly(false, true, 1, false);
    }

    @Test
    void exists_doesNotLoad() {
        assertThat(cache.<Boolean>invoke("loadable", (entry, arguments) -> entry.exists()))
                .isFalse();
        assertThat(loader.takeAsked()).isEmpty();
    }

    @Test
    void setAfterALoad_writesTheNewValue() {
        invoke("loadable", entry -> entry.setValue(entry.getValue() + 1));
        assertThat(cache.get("loadable")).isEqualTo(8);
        assertThat(writer.takeWrites()).containsExactly("write loadable=8");
    }

    @Test
    void entryProcessorException_isNotWrappedAgain() {
        EntryProcessorException failure = new EntryProcessorException("of the processor");
        assertThatThrownBy(() -> invoke("k", entry -> {
                    throw failure;
                }))
                .isSameAs(failure);
    }

    @Test
    void exceptionOfTheWriter_leavesTheStoreUnchanged() {
        cache.put("k", 1);
        writer.failFor("k");
        assertThatThrownBy(() -> invoke("k", entry -> entry.setValue(2))).isInstanceOf(CacheException.class);
        assertThat(cache.get("k")).isEqualTo(1);
    }

    @Test
    void processorThatIsNotSerializable_runs() {
        Object notSerializable = new Object();
        assertThat(cache.<Boolean>invoke(
                        "k", (entry, arguments) -> notSerializable.equals(arguments[0]), notSerializable))
                .isTrue();
    }

    @Test
    void unwrapOfAnUnknownClass_isAnIllegalArgument() {
        assertThatThrownBy(() -> invoke("k", entry -> entry.unwrap(Thread.class)))
                .hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void invokeAll_givesTheResultsInTheOrderOfTheKeys() {
        Set<String> keys = new LinkedHashSet<>();
        IntStream.range(0, 100).forEach(i -> keys.add("k" + i * 7 % 100));

        Map<String, EntryProcessorResult<String>> results = cache.invokeAll(keys, (entry, arguments) -> entry.getKey());

        assertThat(results.keySet()).containsExactlyElementsOf(keys);
        keys.forEach(key -> assertThat(resultOf(results, key).get()).isEqualTo(key));
    }

    @Test
    void invokeAll_processesTheKeysOfAPartitionInTheirOrder() {
        PartitionedCache<?, ?> partitioned = cache.unwrap(PartitionedCache.class);
        @SuppressWarnings("unchecked") // a cache of this provider
        PartitionedCache<String, Integer> typed = (PartitionedCache<String, Integer>) partitioned;
        Set<String> keys = new LinkedHashSet<>();
        IntStream.range(0, 100).forEach(i -> keys.add("k" + i));
        Map<PartitionId, List<String>> processed = new ConcurrentHashMap<>();

        cache.<Boolean>invokeAll(
                keys,
                (entry, arguments) -> processed
                        .computeIfAbsent(
                                typed.explain(entry.getKey()).partition(),
                                first -> Collections.synchronizedList(new ArrayList<>()))
                        .add(entry.getKey()));

        assertThat(processed).hasSize(3);
        processed.forEach((partition, its) -> assertThat(its)
                .containsExactlyElementsOf(keys.stream()
                        .filter(key -> typed.explain(key).partition().equals(partition))
                        .toList()));
    }

    @Test
    void invokeAll_processesThePartitionsAtTheSameTime() {
        CountDownLatch two = new CountDownLatch(2);
        Set<String> keys = new LinkedHashSet<>();
        IntStream.range(0, 30).forEach(i -> keys.add("k" + i));

        Map<String, EntryProcessorResult<Boolean>> results = cache.invokeAll(keys, (entry, arguments) -> {
            two.countDown();
            Threads.await(two);
            return true;
        });

        assertThat(results).hasSize(30);
    }

    @Test
    void nestedInvokeAllOfTheSameKeys_isNoDeadlock() {
        Set<String> keys = new LinkedHashSet<>();
        IntStream.range(0, 12).forEach(i -> keys.add("k" + i));
        EntryProcessor<String, Integer, Integer> nesting = (entry, arguments) ->
                cache.<Integer>invokeAll(Set.of(entry.getKey()), INCREMENT).size();

        Threads.withinTenSeconds(() -> cache.<Integer>invokeAll(keys, nesting));

        assertThat(cache.getAll(keys))
                .hasSize(12)
                .allSatisfy((key, value) -> assertThat(value).isEqualTo(1));
    }

    @Test
    void manyInvokeAllsOnThreadsOfThePool_areNoDeadlock() {
        @SuppressWarnings("unchecked") // a cache of this provider
        PartitionedCache<String, Integer> typed = cache.unwrap(PartitionedCache.class);
        Set<String> keys = new LinkedHashSet<>();
        IntStream.range(0, 12).forEach(i -> keys.add("k" + i));

        Threads.withinTenSeconds(() -> CompletableFuture.allOf(IntStream.range(0, 30)
                        .mapToObj(i ->
                                typed.<Integer>invokeAllAsync(keys, INCREMENT).toCompletableFuture())
                        .toArray(CompletableFuture<?>[]::new))
                .thenApply(over -> true)
                .join());

        assertThat(cache.getAll(keys))
                .hasSize(12)
                .allSatisfy((key, value) -> assertThat(value).isEqualTo(30));
    }

    @Test
    void errorOfAProcessor_reachesTheCallerOfInvokeAll() {
        StackOverflowError error = new StackOverflowError();

        assertThatThrownBy(() -> cache.<Boolean>invokeAll(Set.of("a", "b", "c", "d"), (entry, arguments) -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    @Test
    void concurrentIncrements_loseNone() throws InterruptedException {
        Threads.run(4, thread -> IntStream.range(0, 100).forEach(i -> cache.invoke("k", INCREMENT)));
        assertThat(cache.get("k")).isEqualTo(400);
    }

    @Test
    void concurrentIncrementsWithGetAndPutReplaceAndRemove_areAtomicTogether() throws InterruptedException {
        cache.put("k", 0);
        AtomicInteger replaced = new AtomicInteger();
        Threads.run(
                4,
                thread -> IntStream.range(0, 50).forEach(i -> {
                    if (thread < 2) {
                        cache.invoke("k", INCREMENT);
                    } else {
                        int present = cache.get("k");
                        replaced.addAndGet(cache.replace("k", present, present + 1) ? 1 : 0);
                    }
                }));
        assertThat(cache.get("k")).isEqualTo(100 + replaced.get());
    }

    @Test
    void nestedCallForAnotherKey_isNoDeadlock() {
        int result = Threads.withinTenSeconds(() -> cache.<Integer>invoke("outer", (entry, arguments) -> {
            cache.put("inner", 5);
            entry.setValue(1);
            return cache.get("inner");
        }));
        assertThat(result).isEqualTo(5);
        assertThat(cache.get("outer")).isEqualTo(1);
    }

    @Test
    void nestedReadOfTheSameKey_isNoDeadlock() {
        cache.put("k", 3);
        assertThat(Threads.<Integer>withinTenSeconds(() -> cache.invoke("k", (entry, arguments) -> cache.get("k"))))
                .isEqualTo(3);
    }

    @Test
    void nestedInvokeOfTheSameKey_isNoDeadlock() {
        cache.put("k", 1);
        Threads.withinTenSeconds(() -> cache.<Integer>invoke("k", (entry, arguments) -> cache.invoke("k", INCREMENT)));
        assertThat(cache.get("k")).isEqualTo(2);
    }

    private static <T> EntryProcessorResult<T> resultOf(Map<String, EntryProcessorResult<T>> results, String key) {
        return Objects.requireNonNull(results.get(key), key);
    }

    private void invoke(String key, Consumer<MutableEntry<String, Integer>> action) {
        cache.<@Nullable Void>invoke(key, (entry, arguments) -> {
            action.accept(entry);
            return null;
        });
    }
}
