// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;

/**
 * Receives changes: the application's writer before the cache is changed ({@link WriteThrough}), the same writer later
 * ({@link WriteBehind}), or none.
 */
interface ChangeWriter<K, V> {
    boolean isOn();

    /** Returns the writer that is called before the cache is changed, or null. */
    default @Nullable WriteThrough<K, V> first() {
        return null;
    }

    /**
     * Takes a place in the write-behind queue, if there is one. Call this before the cache is changed. Throws
     * {@link io.keyslot.cache.failure.CacheOverloadedException} if there is no place in time; so does {@link #goOn}.
     */
    default OutboxEntry reserve(EncodedKey key, CallBudget budget) {
        return OutboxEntry.NONE;
    }

    /** As {@link #reserve}, for at most {@link #mostAtOnce} changes: all of them or none. */
    default OutboxEntry reserveAll(List<EncodedKey> keys, CallBudget budget) {
        return OutboxEntry.NONE;
    }

    default int mostAtOnce() {
        return Integer.MAX_VALUE;
    }

    /** Queues a change that the cache could not make; {@code value} is null for a removal. */
    default void goOn(EncodedKey encoded, @Nullable V value, CallBudget budget) {}

    /** Returns a loader that sees changes which are not written yet. */
    default @Nullable CacheLoader<K, V> aware(@Nullable CacheLoader<K, V> loader) {
        return loader;
    }

    /**
     * Waits until the {@linkplain #aware loader} sees each change of these entries that has reached the cache. Throws
     * {@link io.keyslot.cache.failure.CacheOverloadedException} if that takes too long.
     */
    default void awaitChanges(Collection<? extends K> keys) {}

    /** Writes the queued changes; returns whether all were written in time. */
    default boolean flush(Duration atMost) {
        return true;
    }

    /** Gives up the queued changes of some keys; returns how many, negative if others are being written. */
    default int giveUp(Predicate<EncodedKey> keys) {
        return 0;
    }

    /** Begins to write the queued changes, and refuses further ones. */
    default void beginClose() {}

    default void close() {}

    default void show(CacheTelemetry telemetry) {}
}
