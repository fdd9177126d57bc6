// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CompletionListener;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.Test;

/** Which operations load, and what becomes of what was loaded. */
public abstract class LoaderConformance extends JCacheConformance {
    private final MapLoader<String, String> loader =
            MapLoader.answering(key -> key.startsWith("none") ? null : "loaded " + key);

    @Test
    void nullOfTheLoader_isNoEntry() {
        Cache<String, String> cache = readThrough(loader);
        assertThat(cache.get("none")).isNull();
        assertThat(cache.getAll(Set.of("none", "some"))).containsOnlyKeys("some");
        assertThat(cache.containsKey("none")).isFalse();
    }

    @Test
    void loadedEntry_isStored() {
        Cache<String, String> cache = readThrough(loader);
        cache.get("k");
        cache.get("k");
        assertThat(loader.takeAsked()).containsExactly("k");
    }

    @Test
    void concurrentReadsOfAKey_allGetTheValueThatIsStored() throws InterruptedException {
        Cache<String, String> cache = readThrough(loader);
        Threads.run(8, thread -> assertThat(cache.get("k")).isEqualTo("loaded k"));
        loader.takeAsked();
        assertThat(cache.get("k")).isEqualTo("loaded k");
        assertThat(loader.takeAsked()).isEmpty();
    }

    @Test
    void exceptionOfTheLoader_isWrappedOnce() {
        RuntimeException failure = new IllegalStateException("of the loader");
        Cache<String, String> cache = readThrough(MapLoader.answering(key -> {
            throw failure;
        }));
        assertThatThrownBy(() -> cache.get("k"))
                .isInstanceOf(CacheLoaderException.class)
                .hasCause(failure);
        assertThatThrownBy(() -> cache.getAll(Set.of("k")))
                .isInstanceOf(CacheLoaderException.class)
                .hasCause(failure);
        assertThat(cache.containsKey("k")).isFalse();
    }

    @Test
    void cacheLoaderException_isNotWrappedAgain() {
        CacheLoaderException failure = new CacheLoaderException("of the loader");
        Cache<String, String> cache = readThrough(MapLoader.answering(key -> {
            throw failure;
        }));
        assertThatThrownBy(() -> cache.get("k")).isSameAs(failure);
    }

    @Test
    void loadAllWithoutALoader_completesAtOnce() throws Exception {
        Cache<String, String> cache = createStrings();
        loadAll(cache, Set.of("a"), true);
        assertThat(cache.containsKey("a")).isFalse();
    }

    @Test
    void completionListener_hearsOfSuccessOnce() throws Exception {
        CountingCompletion completion = new CountingCompletion();
        readThrough(loader).loadAll(Set.of("a", "b", "c"), true, completion);
        completion.done.get(10, TimeUnit.SECONDS);
        assertThat(completion.calls).hasValue(1);
    }

    @Test
    void completionListener_hearsOfTheFailureOnce() {
        CountingCompletion completion = new CountingCompletion();
        RuntimeException failure = new IllegalStateException("of the loader");
        Cache<String, String> cache = readThrough(MapLoader.answering(key -> {
            throw failure;
        }));
        cache.loadAll(Set.of("a", "b"), true, completion);
        assertThatThrownBy(() -> completion.done.get(10, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(CacheLoaderException.class)
                .hasCause(failure);
        assertThat(completion.calls).hasValue(1);
    }

    @Test
    void loadAllOfThousands_loadsEach() throws Exception {
        Set<String> keys = IntStream.range(0, 2_000).mapToObj(i -> "k" + i).collect(Collectors.toSet());
        Cache<String, String> cache = readThrough(loader);
        loadAll(cache, keys, false);
        loader.takeAsked();
        assertThat(cache.getAll(keys)).hasSize(2_000);
        assertThat(loader.takeAsked()).isEmpty();
    }

    @Test
    void slowLoad_doesNotOverwriteAPutMadeMeanwhile() throws Exception {
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        Cache<String, String> cache = readThrough(MapLoader.answering(key -> {
            loading.countDown();
            Threads.await(released);
            return "old";
        }));
        CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> cache.get("k"));
        Threads.await(loading);
        Threads.withinTenSeconds(() -> {
            cache.put("k", "new");
            return "put";
        });
        released.countDown();
        assertThat(read.get(10, TimeUnit.SECONDS)).isIn("old", "new");
        assertThat(cache.get("k")).isEqualTo("new");
    }

    @Test
    void slowLoadAllWithoutReplacement_doesNotOverwriteAPutMadeMeanwhile() throws Exception {
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        Cache<String, String> cache = readThrough(MapLoader.answering(key -> {
            loading.countDown();
            Threads.await(released);
            return "old";
        }));
        CompletionListenerFuture done = new CompletionListenerFuture();
        cache.loadAll(Set.of("k"), false, done);
        Threads.await(loading);
        Threads.withinTenSeconds(() -> {
            cache.put("k", "new");
            return "put";
        });
        released.countDown();
        done.get(10, TimeUnit.SECONDS);
        assertThat(cache.get("k")).isEqualTo("new");
    }

    private Cache<String, String> readThrough(CacheLoader<String, String> cacheLoader) {
        return create(strings().setReadThrough(true).setCacheLoaderFactory(() -> cacheLoader));
    }

    private static void loadAll(Cache<String, String> cache, Set<String> keys, boolean replace) throws Exception {
        CompletionListenerFuture done = new CompletionListenerFuture();
        cache.loadAll(keys, replace, done);
        done.get(30, TimeUnit.SECONDS);
    }

    private static final class CountingCompletion implements CompletionListener {
        private final AtomicInteger calls = new AtomicInteger();
        private final CompletableFuture<String> done = new CompletableFuture<>();

        @Override
        public void onCompletion() {
            calls.incrementAndGet();
            done.complete("done");
        }

        @Override
        public void onException(Exception e) {
            calls.incrementAndGet();
            done.completeExceptionally(e);
        }
    }
}
