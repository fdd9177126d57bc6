// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cache.near.NearOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CompletionListenerFuture;
import javax.cache.processor.EntryProcessorResult;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Code of the application that a call runs may call the cache and its groups: each combination of a callback and a call within it works,
 * or is an error at once that says what to do. None goes on until a deadline, and none blames others.
 */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class CallbackConformance extends JCacheConformance {
    /** A callback that runs more often in one call is in a loop. */
    private static final int MOST_RUNS = 10;

    /** Most of the time they wait for each other. */
    private static final int CALLBACKS_AT_A_TIME = 6;

    private static final Duration LONGEST_FLUSH = Duration.ofMillis(200);

    /** What a cache has besides its entries. */
    enum Mode {
        PLAIN,
        NEAR,
        READ_THROUGH,
        READ_THROUGH_IN_TIME,
        WRITE_THROUGH,
        WRITE_BEHIND,
        NEAR_AND_THROUGH;

        private boolean isNear() {
            return this == NEAR || this == NEAR_AND_THROUGH;
        }

        private boolean reads() {
            return this == READ_THROUGH || this == READ_THROUGH_IN_TIME || this == NEAR_AND_THROUGH;
        }

        private boolean writes() {
            return this == WRITE_THROUGH || this == NEAR_AND_THROUGH;
        }
    }

    /** A call of the application. */
    @FunctionalInterface
    private interface Call {
        @Nullable
        Object make(PartitionedCache<String, Integer> cache, String key) throws Exception;
    }

    /** All callbacks of a cache, one of which makes the call within it: not from within itself again. */
    private static final class Callbacks
            implements CacheLoader<String, Integer>,
                    CacheWriter<String, Integer>,
                    ExpiryPolicy,
                    CacheEntryCreatedListener<String, Integer>,
                    CacheEntryUpdatedListener<String, Integer>,
                    CacheEntryRemovedListener<String, Integer> {
        private final ThreadLocal<Boolean> isInside = ThreadLocal.withInitial(() -> false);
        private final AtomicInteger runs = new AtomicInteger();
        private volatile String active = "";
        private volatile Runnable call = () -> {};

        void begin(String callback, Runnable within) {
            runs.set(0);
            call = within;
            active = callback;
        }

        void end() {
            active = "";
        }

        void run(String callback) {
            if (callback.equals(active) && !isInside.get() && runs.incrementAndGet() <= MOST_RUNS) {
                isInside.set(true);
                try {
                    call.run();
                } finally {
                    isInside.set(false);
                }
            }
        }

        @Override
        public Integer load(String key) {
            run("load");
            return 7;
        }

        @Override
        public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
            run("loadAll");
            Map<String, Integer> loaded = new LinkedHashMap<>();
            keys.forEach(key -> loaded.put(key, 7));
            return loaded;
        }

        @Override
        public void write(Cache.Entry<? extends String, ? extends Integer> entry) {
            run("write");
        }

        @Override
        public void writeAll(Collection<Cache.Entry<? extends String, ? extends Integer>> entries) {
            run("writeAll");
            entries.clear();
        }

        @Override
        public void delete(Object key) {
            run("delete");
        }

        @Override
        public void deleteAll(Collection<?> keys) {
            run("deleteAll");
            keys.clear();
        }

        @Override
        public javax.cache.expiry.Duration getExpiryForCreation() {
            run("creation");
            return javax.cache.expiry.Duration.ETERNAL;
        }

        @Override
        public javax.cache.expiry.@Nullable Duration getExpiryForAccess() {
            run("access");
            return null;
        }

        @Override
        public javax.cache.expiry.@Nullable Duration getExpiryForUpdate() {
            run("update");
            return null;
        }

        @Override
        public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
            run("created");
        }

        @Override
        public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
            run("updated");
        }

        @Override
        public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
            run("removed");
        }
    }

    private static @Nullable Integer set(MutableEntry<String, Integer> entry, Object... arguments) {
        entry.setValue(entry.exists() ? entry.getValue() + 1 : 1);
        return null;
    }

    private static <T> List<T> valuesOf(Map<String, EntryProcessorResult<T>> results) {
        return results.values().stream().map(EntryProcessorResult::get).toList();
    }

    /** Returns all kinds of calls that may be made within a callback. */
    private static Map<String, Call> calls() {
        Map<String, Call> calls = new LinkedHashMap<>();
        calls.put("get", Cache::get);
        calls.put("containsKey", Cache::containsKey);
        calls.put("getAll", (cache, key) -> cache.getAll(Set.of(key, "other " + key)));
        calls.put("put", (cache, key) -> {
            cache.put(key, 1);
            return null;
        });
        calls.put("putIfAbsent", (cache, key) -> cache.putIfAbsent(key, 1));
        calls.put("getAndPut", (cache, key) -> cache.getAndPut(key, 1));
        calls.put("putAll", (cache, key) -> {
            cache.putAll(Map.of(key, 1, "other " + key, 2));
            return null;
        });
        calls.put("remove", Cache::remove);
        calls.put("getAndRemove", Cache::getAndRemove);
        calls.put("remove if equal", (cache, key) -> cache.remove(key, 0));
        calls.put("replace", (cache, key) -> cache.replace(key, 1));
        calls.put("replace if equal", (cache, key) -> cache.replace(key, 0, 1));
        calls.put("getAndReplace", (cache, key) -> cache.getAndReplace(key, 1));
        calls.put("invoke", (cache, key) -> cache.invoke(key, CallbackConformance::set));
        calls.put("invoke that reads", (cache, key) -> cache.invoke(key, (entry, arguments) -> entry.getValue()));
        calls.put(
                "invokeAll",
                (cache, key) -> valuesOf(cache.invokeAll(Set.of(key), (entry, arguments) -> {
                    entry.setValue(1);
                    return 1;
                })));
        calls.put("removeAll of keys", (cache, key) -> {
            cache.removeAll(Set.of(key, "other " + key));
            return null;
        });
        calls.put("removeAll", (cache, key) -> {
            cache.removeAll();
            return null;
        });
        calls.put("clear", (cache, key) -> {
            cache.clear();
            return null;
        });
        calls.put("loadAll", CallbackConformance::loadAll);
        calls.put("iterator", (cache, key) -> cache.iterator().hasNext());
        calls.put(
                "getAsync",
                (cache, key) -> cache.getAsync(key).toCompletableFuture().join());
        calls.put(
                "putAsync",
                (cache, key) -> cache.putAsync(key, 1).toCompletableFuture().join());
        calls.put(
                "getAndPutAsync",
                (cache, key) ->
                        cache.getAndPutAsync(key, 1).toCompletableFuture().join());
        calls.put(
                "invokeAsync",
                (cache, key) -> cache.invokeAsync(key, CallbackConformance::set)
                        .toCompletableFuture()
                        .join());
        calls.put(
                "removeAsync",
                (cache, key) -> cache.removeAsync(key).toCompletableFuture().join());
        calls.put("flushWrites", (cache, key) -> cache.flushWrites(LONGEST_FLUSH));
        calls.put("group count", (cache, key) -> cache.group(key).count());
        calls.put("group counter", (cache, key) -> cache.group(key).counter("n").incrementAndGet());
        calls.put(
                "transact",
                (cache, key) -> cache.group(key)
                        .<Boolean>transact(group -> group.entries(cache).remove(key)));
        calls.put("group removeAll", (cache, key) -> cache.group(key).removeAll());
        return calls;
    }

    private static @Nullable Object loadAll(PartitionedCache<String, Integer> cache, String key) throws Exception {
        CompletionListenerFuture loaded = new CompletionListenerFuture();
        cache.loadAll(Set.of(key), true, loaded);
        return loaded.get();
    }

    /** Returns calls by the callback that they run, which is the first word. */
    private static Map<String, Call> outerCalls(Mode mode, Callbacks callbacks) {
        Map<String, Call> outer = new LinkedHashMap<>();
        outer.put(
                "process",
                (cache, key) -> cache.invoke(key, (entry, arguments) -> {
                    callbacks.run("process");
                    return set(entry);
                }));
        outer.put(
                "process of invokeAll",
                (cache, key) -> valuesOf(cache.invokeAll(Set.of(key), (entry, arguments) -> {
                    callbacks.run("process");
                    entry.setValue(3);
                    return 3;
                })));
        outer.put(
                "transact",
                (cache, key) -> cache.group(key).<Long>transact(group -> {
                    Integer before = group.entries(cache).get(key);
                    long count = group.counter("n").get() + (before == null ? 0 : before);
                    callbacks.run("transact");
                    group.counter("n").set(count + 1);
                    return count;
                }));
        Call create = (cache, key) -> {
            cache.put(key, 3);
            return null;
        };
        Call update = (cache, key) -> {
            cache.put(key, 0);
            cache.put(key, 3);
            return null;
        };
        Call remove = (cache, key) -> {
            cache.put(key, 0);
            return cache.remove(key);
        };
        outer.put("created", create);
        outer.put("updated", update);
        outer.put("removed", remove);
        outer.put("creation", create);
        outer.put("update", update);
        outer.put("access", (cache, key) -> {
            cache.put(key, 0);
            return cache.get(key);
        });
        if (mode.reads()) {
            outer.put("creation of a load", Cache::get);
            outer.put("created by a load", Cache::get);
            outer.put("load", Cache::get);
            outer.put("load by a processor", (cache, key) -> cache.invoke(key, (entry, arguments) -> entry.getValue()));
            outer.put("loadAll of getAll", (cache, key) -> cache.getAll(Set.of(key, "another " + key)));
            outer.put("loadAll", CallbackConformance::loadAll);
        }
        if (mode.writes()) {
            outer.put("write", create);
            outer.put("write of invoke", (cache, key) -> cache.invoke(key, CallbackConformance::set));
            outer.put("write of putIfAbsent", (cache, key) -> cache.putIfAbsent(key, 3));
            outer.put("writeAll", (cache, key) -> {
                cache.putAll(Map.of(key, 3, "another " + key, 3));
                return null;
            });
            outer.put("delete", remove);
            outer.put("deleteAll", (cache, key) -> {
                cache.removeAll(Set.of(key, "another " + key));
                return null;
            });
        }
        if (mode == Mode.WRITE_BEHIND) {
            outer.put("writeAll", (cache, key) -> flushed(callbacks, cache, create, key));
            outer.put("deleteAll", (cache, key) -> flushed(callbacks, cache, remove, key));
        }
        return outer;
    }

    private static boolean flushed(Callbacks callbacks, PartitionedCache<String, Integer> cache, Call call, String key)
            throws Exception {
        Object unused = call.make(cache, key);
        boolean isWritten = cache.flushWrites(LONGEST_FLUSH);
        await().pollInterval(Duration.ofMillis(5)).until(() -> callbacks.runs.get() > 0);
        return isWritten;
    }

    private PartitionedCache<String, Integer> createCache(Mode mode, String name, Callbacks callbacks) {
        PartitionedConfiguration<String, Integer> configuration =
                new PartitionedConfiguration<String, Integer>().setTypes(String.class, Integer.class);
        configuration.setExpiryPolicyFactory(() -> callbacks);
        if (mode.isNear()) {
            configuration.setNear(NearOptions.ofEntries(1_000));
        }
        if (mode.reads()) {
            configuration.setReadThrough(true).setCacheLoaderFactory(() -> callbacks);
        }
        if (mode == Mode.READ_THROUGH_IN_TIME) {
            configuration.setLoading(LoadingOptions.defaults().withTimeout(Duration.ofSeconds(30)));
        }
        if (mode.writes() || mode == Mode.WRITE_BEHIND) {
            configuration.setWriteThrough(true).setCacheWriterFactory(() -> callbacks);
        }
        if (mode == Mode.WRITE_BEHIND) {
            configuration.setWriteBehind(WriteBehindOptions.defaults());
        }
        @SuppressWarnings("unchecked") // a cache of this provider
        PartitionedCache<String, Integer> created =
                (PartitionedCache<String, Integer>) manager.createCache(name, configuration);
        return created;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void callWithinACallback_worksOrSaysAtOnceWhyNot(Mode mode) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CALLBACKS_AT_A_TIME);
        try {
            List<String> problems = new ArrayList<>();
            for (Future<List<String>> found : threads.invokeAll(outerCalls(mode, new Callbacks()).keySet().stream()
                    .<Callable<List<String>>>map(name -> () -> problemsWithin(mode, name))
                    .toList())) {
                problems.addAll(found.get());
            }
            assertThat(problems).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Makes all calls within one callback, in a cache of its own. */
    private List<String> problemsWithin(Mode mode, String name) {
        Callbacks callbacks = new Callbacks();
        PartitionedCache<String, Integer> cache = createCache(mode, NAME + " " + name, callbacks);
        String callback = name.split(" ", 2)[0];
        if (Set.of("created", "updated", "removed").contains(callback)) {
            cache.registerCacheEntryListener(
                    new MutableCacheEntryListenerConfiguration<>(() -> callbacks, null, true, true));
        }
        Call outer = Objects.requireNonNull(outerCalls(mode, callbacks).get(name));
        List<String> problems = new ArrayList<>();
        calls().forEach((within, call) -> {
            for (String other : List.of("", "other ")) {
                String key = "%s, %s %s".formatted(name, other, within);
                callbacks.begin(callback, () -> unchecked(cache, call, other + key));
                problemOf(callbacks, cache, outer, key).ifPresent(problem -> problems.add(key + ": " + problem));
                callbacks.end();
            }
        });
        return problems;
    }

    private static @Nullable Object unchecked(PartitionedCache<String, Integer> cache, Call call, String key) {
        try {
            return call.make(cache, key);
        } catch (ExecutionException e) {
            throw new CacheLoaderException(e.getCause());
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Optional<String> problemOf(
            Callbacks callbacks, PartitionedCache<String, Integer> cache, Call outer, String key) {
        String failure = "";
        try {
            Object unused = Threads.withinTenSeconds(() -> Optional.ofNullable(unchecked(cache, outer, key)));
        } catch (RuntimeException | AssertionError e) {
            Throwable root = e;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            boolean isClear = root instanceof IllegalStateException
                    || root instanceof UnsupportedOperationException // of a group, by which a writer would be passed by
                    || root instanceof CacheLoaderException
                    || root instanceof PartitionUnavailableException; // of a machine that is busy
            failure = isClear ? "" : root.toString();
        }
        int runs = callbacks.runs.get();
        if (failure.isEmpty() && (runs == 0 || runs > MOST_RUNS)) {
            failure = "the callback ran %d times".formatted(runs);
        }
        return failure.isEmpty() ? Optional.empty() : Optional.of(failure);
    }
}
