// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.event.EventGap;
import io.keyslot.client.stored.EncodedKey;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.cache.Cache;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Counts the puts of a cache and tells its listeners of changes, those of one entry in their order. What a listener hears
 * shares nothing with the caller, nor with what another one hears. Safe for use by several threads.
 */
public final class EventPublisher<K, V> {
    private final EventDispatcher<K, V> events;
    private final Supplier<Cache<K, V>> source;
    private final UnaryOperator<V> copying;
    private final CacheCounters counters;
    private final KeyedQueues queues;

    /** @param copying copies a value */
    public EventPublisher(
            EventDispatcher<K, V> events,
            Supplier<Cache<K, V>> source,
            UnaryOperator<V> copying,
            CacheCounters counters,
            KeyedQueues queues) {
        this.events = events;
        this.source = source;
        this.copying = copying;
        this.counters = counters;
        this.queues = queues;
    }

    /** Returns the listeners. */
    public EventDispatcher<K, V> events() {
        return events;
    }

    /** Returns what was done, counted. */
    public CacheCounters counters() {
        return counters;
    }

    /** Returns a value that shares nothing with this one. */
    public V copy(V value) {
        return copying.apply(value);
    }

    /** Returns whether somebody listens, so that it must be known what was there before a change. */
    public boolean hasListeners() {
        return !events.isEmpty();
    }

    /** Waits until it is this thread's turn among those of this process that change one of the entries; to be closed. */
    public KeyedQueues.Standing enter(List<EncodedKey> keys) {
        return queues.enter(keys);
    }

    /** As {@link #enter(List)}, of a single entry. */
    public KeyedQueues.Standing enter(EncodedKey key) {
        return queues.enter(key);
    }

    /** Does something in turn with other threads of this process that change the entry. */
    public <T> T inTurn(EncodedKey key, Supplier<T> change) {
        return queues.inTurn(key, change);
    }

    /** A value was put. */
    public void put(K key, @Nullable V value, Answer<V> before) {
        counters.puts(1);
        stored(key, value, before);
    }

    /** A value was stored that nobody put: it was loaded. */
    public void stored(K key, @Nullable V value, Answer<V> before) {
        tell(before.isPresent() ? EventType.UPDATED : EventType.CREATED, key, value, before.value());
    }

    /** What was there was removed; nobody hears of it if that was nothing. */
    public void removed(K key, Answer<V> before) {
        if (before.isPresent()) {
            tell(EventType.REMOVED, key, before.value(), before.value());
        }
    }

    /** Returns how many more things the asynchronous listeners may be told. */
    public int room() {
        return events.room();
    }

    /**
     * Others have left a value under the key, or nothing. Who tells this has the turn of the key. Returns false if too much waits
     * for the listeners already.
     */
    public boolean left(K key, @Nullable V value) {
        return events.publishRemaining(source.get(), key, value, copying);
    }

    /** Changes of others may have been missed: which, is asked when they are told. Returns false as {@link #left} does. */
    public boolean missed(Supplier<List<EventGap>> gaps) {
        return events.publishGaps(source.get(), gaps);
    }

    private void tell(EventType type, K key, @Nullable V value, @Nullable V oldValue) {
        if (hasListeners()) {
            Cache<K, V> cache = source.get();
            events.dispatch(cache, List.of(new CacheEvent<>(cache, type, key, value, oldValue)), copying);
        }
    }
}
