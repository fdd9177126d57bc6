// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;

/** A listener that keeps every event as text, and then does what a test gave it. */
final class RecordingListener<K, V>
        implements CacheEntryCreatedListener<K, V>,
                CacheEntryUpdatedListener<K, V>,
                CacheEntryRemovedListener<K, V>,
                CacheEntryExpiredListener<K, V> {
    private final List<String> events = new ArrayList<>();
    private final Consumer<CacheEntryEvent<? extends K, ? extends V>> then;

    RecordingListener() {
        this(event -> {});
    }

    RecordingListener(Consumer<CacheEntryEvent<? extends K, ? extends V>> then) {
        this.then = then;
    }

    /** Returns the events since the last call, such as {@code CREATED k=v}. */
    synchronized List<String> takeEvents() {
        List<String> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    synchronized List<String> events() {
        return List.copyOf(events);
    }

    CacheEntryListenerConfiguration<K, V> synchronous() {
        return new MutableCacheEntryListenerConfiguration<>(() -> this, null, true, true);
    }

    CacheEntryListenerConfiguration<K, V> asynchronous() {
        return new MutableCacheEntryListenerConfiguration<>(() -> this, null, true, false);
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends K, ? extends V>> created) {
        created.forEach(this::add);
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends K, ? extends V>> updated) {
        updated.forEach(this::add);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends K, ? extends V>> removed) {
        removed.forEach(this::add);
    }

    @Override
    public void onExpired(Iterable<CacheEntryEvent<? extends K, ? extends V>> expired) {
        expired.forEach(this::add);
    }

    private void add(CacheEntryEvent<? extends K, ? extends V> event) {
        synchronized (this) {
            events.add(textOf(event));
        }
        then.accept(event);
    }

    private static String textOf(CacheEntryEvent<?, ?> event) {
        String text = event.getEventType() + " " + event.getKey() + "=" + event.getValue();
        return switch (event.getEventType()) {
            case UPDATED -> text + " was " + event.getOldValue();
            case CREATED, REMOVED, EXPIRED -> text;
        };
    }
}
