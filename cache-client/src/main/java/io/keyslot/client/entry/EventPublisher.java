// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.feed.FeedBatch;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.cache.Cache;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Counts puts, and publishes changes to listeners, in order for each entry and with copied values. {@code queues} lock
 * entries against other changes in this process. Thread-safe.
 */
public record EventPublisher<K, V>(
        EventDispatcher<K, V> events,
        Supplier<Cache<K, V>> source,
        UnaryOperator<V> copying,
        CacheCounters counters,
        KeyedQueues queues) {
    public V copy(V value) {
        return copying.apply(value);
    }

    /** Returns whether there are listeners of changes by this process, which have to read old values. */
    public boolean hasListeners() {
        return !events.isEmpty();
    }

    public void put(K key, @Nullable V value, Answer<V> before) {
        counters.puts(1);
        stored(key, value, before);
    }

    /** Publishes a value that was loaded, not put. */
    public void stored(K key, @Nullable V value, Answer<V> before) {
        publish(before.isPresent() ? EventType.UPDATED : EventType.CREATED, key, value, before.value());
    }

    public void removed(K key, Answer<V> before) {
        if (before.isPresent()) {
            publish(EventType.REMOVED, key, before.value(), before.value());
        }
    }

    /** Publishes a batch of the feed to the asynchronous listeners. */
    public void publish(FeedBatch<K, V> batch) {
        events.publish(source.get(), batch, copying);
    }

    private void publish(EventType type, K key, @Nullable V value, @Nullable V oldValue) {
        if (hasListeners()) {
            Cache<K, V> cache = source.get();
            events.dispatch(cache, new CacheEvent<>(cache, type, key, value, oldValue), copying);
        }
    }
}
