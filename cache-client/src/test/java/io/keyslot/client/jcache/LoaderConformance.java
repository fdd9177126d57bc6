// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.Test;

/** Which operations load, and what becomes of what was loaded. */
public abstract class LoaderConformance extends JCacheConformance {
    private final MapLoader<String, String> loader =
            MapLoader.answering(key -> key.startsWith("none") ? null : "loaded " + key);

    @Test
    void cacheLoaderException_isNotWrappedAgain() {
        CacheLoaderException failure = new CacheLoaderException("of the loader");
        Cache<String, String> cache = readThrough(MapLoader.answering(key -> {
            throw failure;
        }));
        assertThatThrownBy(() -> cache.get("k")).isSameAs(failure);
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
}
