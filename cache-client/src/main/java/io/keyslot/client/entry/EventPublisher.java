// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.event.EventGap;
import java.util.List;
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

    /** Returns whether there are listeners, so that changes have to read old values. */
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

    /**
     * Publishes the value, or null, that other processes have left under a key whose lock the caller has. Returns false
     * if the queue is full.
     */
    public boolean left(K key, @Nullable V value) {
        return events.publishRemaining(source.get(), key, value, copying);
    }

    /** Publishes gaps, which are computed when the listeners run. Returns false if the queue is full. */
    public boolean missed(Supplier<List<EventGap>> gaps) {
        return events.publishGaps(source.get(), gaps);
    }

    private void publish(EventType type, K key, @Nullable V value, @Nullable V oldValue) {
        if (hasListeners()) {
            Cache<K, V> cache = source.get();
            events.dispatch(cache, new CacheEvent<>(cache, type, key, value, oldValue), copying);
        }
    }
}
