// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A cache for callers whose own work does not depend on it: none of these calls fails because of the cache. A read that cannot
 * be done is a miss. A change that cannot be done is remembered: what it would have replaced is deleted before it is read again
 * by this process. Whoever observes hears of each.
 *
 * <p>The policies {@code fail} are kept where the configuration of the cache says so in words: then a missing partition is told.
 * What the application's own loader, writer or method throws is told in any case. Safe for use by several threads.
 */
public interface FailSafeCalls<K, V> {
    /** Returns the value; null if there is none, or nobody knows. */
    @Nullable
    V get(K key);

    /**
     * Returns the value, which the method gives if there is none: one thread of one process calls it, and the others wait. Nobody
     * waits for it where the partition is missing: then each calls its own, and nothing is stored.
     *
     * @param method gives a value, a {@link io.keyslot.cache.LoadedValue}, or null for none, which is not stored
     * @throws Exception what the method throws
     */
    @Nullable
    V load(K key, Callable<? extends @Nullable Object> method) throws Exception;

    /** Stores a value. */
    void put(K key, V value);

    /** Stores a value for a time of its own. */
    void put(K key, V value, Duration timeToLive);

    /**
     * Stores a value if there is none; returns the present one, null if there is none or that is not known.
     *
     * @param timeToLive how long the value lives; null for as long as the rules of the cache say
     */
    @Nullable
    V putIfAbsent(K key, V value, @Nullable Duration timeToLive);

    /** Removes an entry; returns whether there was one, as far as is known. */
    boolean remove(K key);

    /** Removes all entries. Where a partition fails, they are misses in this process until they are removed in the background. */
    void clear();

    /** Returns an executor on which calls are made on behalf of who hands them in. */
    default Executor carrying(Executor executor) {
        return executor;
    }
}
