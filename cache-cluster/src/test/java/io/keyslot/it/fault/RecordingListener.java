// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.cache.Cache;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/** Writes down what a process is told of its changes, in the order in which it is told. */
final class RecordingListener
        implements CacheEntryCreatedListener<String, Long>,
                CacheEntryUpdatedListener<String, Long>,
                CacheEntryRemovedListener<String, Long> {
    private final String process;
    private final Ticker ticker = new SystemTicker();
    private final Queue<Heard> heard = new ConcurrentLinkedQueue<>();

    RecordingListener(String process) {
        this.process = process;
    }

    void listenTo(Cache<String, Long> cache) {
        cache.registerCacheEntryListener(new MutableCacheEntryListenerConfiguration<>(() -> this, null, true, true));
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Long>> events) {
        hear(events);
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Long>> events) {
        hear(events);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends Long>> events) {
        hear(events);
    }

    private void hear(Iterable<CacheEntryEvent<? extends String, ? extends Long>> events) {
        for (CacheEntryEvent<? extends String, ? extends Long> event : events) {
            heard.add(new Heard(process, event.getKey(), event.getOldValue(), after(event), ticker.nanos()));
        }
    }

    private static @Nullable Long after(CacheEntryEvent<? extends String, ? extends Long> event) {
        return event.getEventType() == EventType.REMOVED ? null : event.getValue();
    }

    List<Heard> heard() {
        return List.copyOf(heard);
    }
}
