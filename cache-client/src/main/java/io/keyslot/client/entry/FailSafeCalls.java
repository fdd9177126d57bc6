// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A fail-safe cache: its calls do not fail because of the cache. A failed read is a miss. A failed change becomes a
 * pending delete: the outdated value is deleted before this process reads it again. The telemetry receives each failure.
 *
 * <p>If the configuration of the cache sets a policy {@code fail} explicitly, a missing partition still causes an
 * exception. Exceptions of the application's own loader, writer or method always reach the caller. Thread-safe.
 */
public interface FailSafeCalls<K, V> {
    /** Returns the value, or null if there is none or it is not known. */
    @Nullable
    V get(K key);

    /** As {@link #get}, without a thread that waits. */
    CompletionStage<@Nullable V> getAsync(K key);

    /** Returns the values that exist and are known. */
    Map<K, V> getAll(Set<? extends K> keys);

    /**
     * Returns the value, or calls {@code method} if there is none, which may return a
     * {@link io.keyslot.cache.LoadedValue}, or null, which is not stored. One thread of one process calls it, and the
     * others wait. If the partition is missing, each thread calls its own method without waiting, and nothing is
     * stored, unless the cache has a gutter.
     */
    @Nullable
    V load(K key, Callable<? extends @Nullable Object> method) throws Exception;

    /**
     * As {@link #load}, without a thread that waits for the entry; the executor runs the rest. The stage fails with the
     * exception of the method, or of an executor that refuses.
     */
    CompletionStage<@Nullable V> loadAsync(K key, Callable<? extends @Nullable Object> method, Executor executor);

    /** Stores a value. Without a {@code timeToLive}, the expiry rules of the cache apply. */
    void put(K key, V value, @Nullable Duration timeToLive);

    /** As {@link #put}, for several entries. If one cannot be stored, none of them need be. */
    void putAll(Map<? extends K, ? extends V> entries, @Nullable Duration timeToLive);

    /**
     * Stores a value if there is none; returns the present value, or null if there is none or it is not known. Without
     * a {@code timeToLive}, the expiry rules of the cache apply.
     */
    @Nullable
    V putIfAbsent(K key, V value, @Nullable Duration timeToLive);

    /** Removes an entry; returns whether there was one, as far as is known. */
    boolean remove(K key);

    void removeAll(Set<? extends K> keys);

    /** Removes all entries. Those of a failed partition are misses here until they are removed in the background. */
    void clear();

    /** Returns why no value of a declared type can be stored, as far as its declaration tells; null if it can. */
    @Nullable
    String problemOf(Type declared);
}
