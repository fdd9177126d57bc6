// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCache;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Loads and what happens meanwhile: who waits for them, and whose value counts in the end. */
public abstract class LoadingConformance extends JCacheConformance {
    private final GatedLoader loader = new GatedLoader();

    @AfterEach
    void endLoads() {
        loader.end();
    }

    private Cache<String, String> readThrough() {
        return readThrough(loader);
    }

    private Cache<String, String> readThrough(CacheLoader<String, String> given) {
        return create(strings().setReadThrough(true).setStatisticsEnabled(true).setCacheLoaderFactory(() -> given));
    }

    /** Returns how many bytes are stored in the entry's place: those of a lease count. */
    @SuppressWarnings("unchecked")
    private static long bytesOf(Cache<String, String> cache, String key) {
        return cache.unwrap(PartitionedCache.class).explain(key).sizeBytes();
    }

    @Test
    void missesOfOneKey_areOneLoad_andValuesOfTheirOwn() {
        Cache<String, String> cache = readThrough();
        List<Background<String>> reads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            reads.add(Background.run(() -> cache.get("k")).waiting());
        }
        loader.nextCall().answer("v");
        Set<String> values = Collections.newSetFromMap(new IdentityHashMap<>());
        reads.forEach(read -> values.add(read.value()));

        assertThat(values).hasSize(8).allMatch("v"::equals);
        assertThat(loader.isQuiet()).isTrue();
    }

    @TestFactory
    Stream<DynamicTest> changeDuringALoad_staysAndTheLoadedValueIsNotStored() {
        Map<String, Consumer<Cache<String, String>>> changes = new LinkedHashMap<>();
        changes.put("put", cache -> cache.put("put", "mine"));
        changes.put("putAll", cache -> cache.putAll(Map.of("putAll", "mine")));
        changes.put("putIfAbsent", cache -> cache.putIfAbsent("putIfAbsent", "mine"));
        changes.put("getAndPut", cache -> cache.getAndPut("getAndPut", "mine"));
        changes.put(
                "invoke",
                cache -> cache.invoke("invoke", (entry, arguments) -> {
                    entry.setValue("mine");
                    return "";
                }));
        return changes.entrySet().stream()
                .map(change -> DynamicTest.dynamicTest(change.getKey(), () -> {
                    Cache<String, String> cache = cacheOnce();
                    Background<String> read = Background.run(() -> cache.get(change.getKey()));
                    GatedLoader.Call call = loader.nextCall();
                    change.getValue().accept(cache);
                    call.answer("older");

                    assertThat(read.value()).isEqualTo("older");
                    assertThat(cache.get(change.getKey())).isEqualTo("mine");
                }));
    }

    @TestFactory
    Stream<DynamicTest> removalDuringALoad_isFinal() {
        Map<String, Consumer<Cache<String, String>>> removals = new LinkedHashMap<>();
        removals.put("remove", cache -> cache.remove("remove"));
        removals.put("getAndRemove", cache -> cache.getAndRemove("getAndRemove"));
        removals.put("removeAllOfKeys", cache -> cache.removeAll(Set.of("removeAllOfKeys")));
        removals.put("removeAll", Cache::removeAll);
        removals.put("clear", Cache::clear);
        removals.put(
                "invoke",
                cache -> cache.invoke("invoke", (entry, arguments) -> {
                    entry.remove();
                    return "";
                }));
        return removals.entrySet().stream()
                .map(removal -> DynamicTest.dynamicTest(removal.getKey(), () -> {
                    Cache<String, String> cache = cacheOnce();
                    Background<String> read = Background.run(() -> cache.get(removal.getKey()));
                    GatedLoader.Call older = loader.nextCall();
                    removal.getValue().accept(cache);
                    Background<String> later =
                            Background.run(() -> cache.get(removal.getKey())).waiting();
                    older.answer("older");
                    loader.nextCall().answer("newer");

                    assertThat(read.value()).isEqualTo("older");
                    assertThat(later.value()).isEqualTo("newer");
                    assertThat(cache.get(removal.getKey())).isEqualTo("newer");
                }));
    }

    /** Returns the cache of a test that has several parts. */
    private Cache<String, String> cacheOnce() {
        Cache<String, String> made = manager.getCache(NAME, String.class, String.class);
        return made == null ? readThrough() : made;
    }

    @Test
    void replaceDuringALoad_findsNothing() {
        Cache<String, String> cache = readThrough();
        Background<String> read = Background.run(() -> cache.get("k"));
        GatedLoader.Call call = loader.nextCall();

        assertThat(cache.replace("k", "mine")).isFalse();
        assertThat(cache.containsKey("k")).isFalse();
        assertThat(cache).isEmpty();
        call.answer("loaded");
        assertThat(read.value()).isEqualTo("loaded");
        assertThat(cache.containsKey("k")).isTrue();
    }

    @Test
    void failureOfTheLoader_reachesAllWhoWait_andIsNotRemembered() {
        Cache<String, String> cache = readThrough();
        List<Background<String>> reads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            reads.add(Background.run(() -> cache.get("k")).waiting());
        }
        loader.nextCall().fail(new IllegalStateException("of the loader"));
        // Who came while the loader was asked already may ask once more.
        Background<Integer> rest = Background.run(() -> {
            reads.forEach(Background::failure);
            return 0;
        });
        failUntilDone(rest);
        Set<Throwable> failures = Collections.newSetFromMap(new IdentityHashMap<>());
        reads.forEach(read -> failures.add(read.failure()));

        assertThat(failures).hasSize(4).allMatch(CacheLoaderException.class::isInstance);
        assertThat(bytesOf(cache, "k")).isZero();
        Background<String> next = Background.run(() -> cache.get("k"));
        loader.nextCall().answer("v");
        assertThat(next.value()).isEqualTo("v");
    }

    private void failUntilDone(Background<Integer> task) {
        while (!task.isDone()) {
            if (!loader.isQuiet()) {
                loader.nextCall().fail(new IllegalStateException("of the loader"));
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void errorOfTheLoader_leavesNoLease() {
        Cache<String, String> cache = readThrough(MapLoader.answering(key -> {
            throw new StackOverflowError("of the loader");
        }));
        assertThatThrownBy(() -> cache.get("k")).isInstanceOf(StackOverflowError.class);
        assertThatThrownBy(() -> cache.getAll(Set.of("l"))).isInstanceOf(StackOverflowError.class);
        assertThat(bytesOf(cache, "k")).isZero();
        assertThat(bytesOf(cache, "l")).isZero();
    }

    @Test
    void getAll_waitsForWhatAnotherThreadLoads_andAsksForTheRest() {
        Cache<String, String> cache = readThrough();
        Background<String> single = Background.run(() -> cache.get("a"));
        GatedLoader.Call first = loader.nextCall();
        Background<Map<String, String>> all = Background.run(() -> cache.getAll(Set.of("a", "b", "c")));
        GatedLoader.Call second = loader.nextCall();
        assertThat(second.keys()).containsExactlyInAnyOrder("b", "c");
        second.answer("of all");
        first.answer("single");

        assertThat(all.value()).isEqualTo(Map.of("a", "single", "b", "of all", "c", "of all"));
        assertThat(single.value()).isEqualTo("single");
        assertThat(loader.isQuiet()).isTrue();
    }

    @Test
    void getAllsThatLoadTheSameKeys_doNotWaitForEachOther() throws InterruptedException {
        Cache<String, String> cache = readThrough(MapLoader.answering(key -> "v"));
        List<String> keys = IntStream.range(0, 20).mapToObj(i -> "k" + i).toList();
        Set<String> all = Set.copyOf(keys);
        Threads.run(6, thread -> {
            for (int i = 0; i < 30; i++) {
                assertThat(cache.getAll(all)).hasSize(20);
                cache.remove(keys.get((i + thread) % 20));
            }
        });
    }

    @Test
    void getAllThatFails_leavesNoFlightBehind() {
        Cache<String, String> cache = readThrough();
        Background<String> older = Background.run(() -> cache.get("a"));
        GatedLoader.Call first = loader.nextCall();
        cache.remove("a"); // so that the next reader of this key has to follow
        Background<Map<String, String>> all = Background.run(() -> cache.getAll(Set.of("a", "b")));
        loader.nextCall().fail(new IllegalStateException("of the loader"));
        assertThat(all.failure()).isInstanceOf(CacheLoaderException.class);
        first.answer("older");
        assertThat(older.value()).isEqualTo("older");

        Background<String> next = Background.run(() -> cache.get("a"));
        loader.nextCall().answer("newer");
        assertThat(next.value()).isEqualTo("newer");
    }

    @Test
    void loaderThatReadsOtherEntries_gets() {
        List<Cache<String, String>> itself = new ArrayList<>();
        Cache<String, String> cache = readThrough(MapLoader.answering(key -> {
            int number = Integer.parseInt(key);
            return number == 0 ? "0" : itself.get(0).get("" + (number - 1)) + " " + number;
        }));
        itself.add(cache);
        assertThat(Threads.withinTenSeconds(() -> cache.get("40")))
                .isEqualTo(String.join(
                        " ", IntStream.rangeClosed(0, 40).mapToObj(i -> "" + i).toList()));
    }

    @Test
    void loaderThatReadsItsOwnEntry_isRefused() {
        assertRefused("a", "a");
    }

    @Test
    void loadersThatReadEachOthersEntries_areRefused() {
        assertRefused("b", "a");
    }

    /** Reads entries each of which the loader makes from the other one. */
    private void assertRefused(String ofA, String ofB) {
        List<Cache<String, String>> itself = new ArrayList<>();
        Cache<String, String> cache =
                readThrough(MapLoader.answering(key -> itself.get(0).get(key.equals("a") ? ofA : ofB)));
        itself.add(cache);
        List<Background<String>> reads =
                Arrays.asList(Background.run(() -> cache.get("a")), Background.run(() -> cache.get("b")));
        reads.forEach(read -> assertThat(read.failure())
                .isInstanceOf(CacheLoaderException.class)
                .hasStackTraceContaining("let it read from the source instead"));
        assertThatThrownBy(() -> cache.getAll(Set.of("a"))).isInstanceOf(CacheLoaderException.class);
        assertThatThrownBy(() -> cache.invoke("a", (entry, arguments) -> entry.getValue()))
                .hasStackTraceContaining("let it read from the source instead");
    }

    @Test
    void putDuringTheLoadOfAProcessor_makesItRunAgain() {
        Cache<String, String> cache = readThrough();
        Background<String> invoked = Background.run(() -> cache.invoke("k", (entry, arguments) -> {
            entry.setValue(entry.getValue() + " and more");
            return entry.getValue();
        }));
        GatedLoader.Call call = loader.nextCall();
        cache.put("k", "mine");
        call.answer("older");

        assertThat(invoked.value()).isEqualTo("mine and more");
        assertThat(cache.get("k")).isEqualTo("mine and more");
    }

    @Test
    void removeDuringTheLoadOfAProcessor_makesItLoadAgain() {
        Cache<String, String> cache = readThrough();
        Background<String> invoked = Background.run(() -> cache.invoke("k", (entry, arguments) -> entry.getValue()));
        GatedLoader.Call call = loader.nextCall();
        cache.remove("k");
        call.answer("older");
        loader.nextCall().answer("newer");

        assertThat(invoked.value()).isEqualTo("newer");
        assertThat(cache.get("k")).isEqualTo("newer");
    }

    @Test
    void processorThatStoresNothing_leavesNoLease() {
        RecordingWriter<String, String> writer = new RecordingWriter<>();
        Cache<String, String> cache = create(strings()
                .setReadThrough(true)
                .setCacheLoaderFactory(() -> MapLoader.answering(key -> key.equals("none") ? null : "v"))
                .setWriteThrough(true)
                .setCacheWriterFactory(() -> writer));
        writer.failFor("unwritable");
        assertThat(cache.<Object>invoke("none", (entry, arguments) -> entry.getValue()))
                .isNull();
        assertThatThrownBy(() -> cache.invoke("failing", (entry, arguments) -> {
            throw new IllegalStateException(entry.getValue());
        }));
        assertThatThrownBy(() -> cache.invoke("unwritable", (entry, arguments) -> {
            entry.setValue(entry.getValue() + "w");
            return "";
        }));
        for (String key : List.of("none", "failing", "unwritable")) {
            assertThat(bytesOf(cache, key)).as(key).isZero();
        }
    }

    @Test
    void loadAllWithReplacement_doesNotOverwriteAPutMadeMeanwhile() throws Exception {
        Cache<String, String> cache = readThrough();
        cache.put("k", "before");
        CompletionListenerFuture done = new CompletionListenerFuture();
        cache.loadAll(Set.of("k", "l"), true, done);
        GatedLoader.Call call = loader.nextCall();
        cache.put("k", "mine");
        cache.put("l", "mine");
        call.answer("older");
        done.get();

        assertThat(cache.getAll(Set.of("k", "l"))).isEqualTo(Map.of("k", "mine", "l", "mine"));
    }

    @Test
    void loadAllWithReplacement_leavesWhatTheLoaderDoesNotHave() throws Exception {
        Cache<String, String> cache = readThrough();
        cache.put("k", "mine");
        CompletionListenerFuture done = new CompletionListenerFuture();
        cache.loadAll(Set.of("k"), true, done);
        loader.nextCall().answer(null);
        done.get();

        assertThat(cache.get("k")).isEqualTo("mine");
    }

    @Test
    void loadedEntry_isCreatedForListeners_andALeaseIsNothing() {
        RecordingListener<String, String> listener = new RecordingListener<>();
        Cache<String, String> cache = readThrough();
        cache.registerCacheEntryListener(listener.synchronous());
        Background<String> read = Background.run(() -> cache.get("k"));
        GatedLoader.Call call = loader.nextCall();
        assertThat(cache.remove("other")).isFalse();
        assertThat(listener.takeEvents()).isEmpty();
        call.answer("v");
        read.value();
        assertThat(listener.takeEvents()).containsExactly("CREATED k=v");

        Background<Map<String, String>> all = Background.run(() -> cache.getAll(Set.of("l")));
        loader.nextCall().answer("v");
        all.value();
        Background<String> invoked = Background.run(() -> cache.invoke("m", (entry, arguments) -> entry.getValue()));
        loader.nextCall().answer("v");
        invoked.value();
        assertThat(listener.takeEvents()).containsExactly("CREATED l=v", "CREATED m=v");
    }

    @Test
    void failingListener_keepsTheValueFromNobodyElse() {
        RecordingListener<String, String> failing = new RecordingListener<>(event -> {
            throw new IllegalStateException("of the listener");
        });
        Cache<String, String> cache = readThrough();
        cache.registerCacheEntryListener(failing.synchronous());
        Background<Map<String, String>> all = Background.run(() -> cache.getAll(Set.of("a", "b")));
        loader.nextCall().answer("v");
        assertThat(all.failure()).isInstanceOf(javax.cache.event.CacheEntryListenerException.class);

        assertThat(cache.get("a")).isEqualTo("v");
        assertThat(cache.get("b")).isEqualTo("v");
    }
}
