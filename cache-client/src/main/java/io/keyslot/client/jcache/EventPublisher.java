// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.feed.FeedBatch;
import io.keyslot.client.entry.KeyedQueues;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.cache.Cache;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Counts puts, and publishes changes to listeners, in order for each entry and with copied values. {@code queues} lock
 * entries against other changes in this process. Thread-safe.
 */
record EventPublisher<K, V>(
        EventDispatcher<K, V> events,
        Supplier<Cache<K, V>> source,
        UnaryOperator<V> copying,
        CacheCounters counters,
        KeyedQueues queues) {
    V copy(V value) {
        return copying.apply(value);
    }

    /** Returns whether there are listeners of changes by this process, which have to read old values. */
    boolean hasListeners() {
        return !events.isEmpty();
    }

    void put(K key, @Nullable V value, Answer<V> before) {
        counters.puts(1);
        stored(key, value, before);
    }

    /** Publishes a value that was loaded, not put. */
    void stored(K key, @Nullable V value, Answer<V> before) {
        publish(before.isPresent() ? EventType.UPDATED : EventType.CREATED, key, value, before.value());
    }

    void removed(K key, Answer<V> before) {
        if (before.isPresent()) {
            publish(EventType.REMOVED, key, before.value(), before.value());
        }
    }

    void publish(FeedBatch<K, V> batch) {
        events.publish(source.get(), batch, copying);
    }

    private void publish(EventType type, K key, @Nullable V value, @Nullable V oldValue) {
        if (hasListeners()) {
            Cache<K, V> cache = source.get();
            events.dispatch(cache, new CacheEvent<>(cache, type, key, value, oldValue), copying);
        }
    }
}
