// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import java.util.ArrayList;
import java.util.List;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import org.jspecify.annotations.Nullable;

/** What the listener of one process was told. */
final class Told
        implements CacheEntryCreatedListener<String, Long>,
                CacheEntryUpdatedListener<String, Long>,
                CacheEntryRemovedListener<String, Long> {
    private final List<Event> events = new ArrayList<>();
    private final Runnable yield;

    Told(Runnable yield) {
        this.yield = yield;
    }

    /** An event: what the entry is now, null if it was removed. */
    record Event(String key, @Nullable Long value, @Nullable Long old) {}

    List<Event> events() {
        return events;
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Long>> created) {
        created.forEach(event -> tell(new Event(event.getKey(), event.getValue(), null)));
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Long>> updated) {
        updated.forEach(event -> tell(new Event(event.getKey(), event.getValue(), event.getOldValue())));
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends Long>> removed) {
        removed.forEach(event -> tell(new Event(event.getKey(), null, event.getOldValue())));
    }

    private void tell(Event event) {
        yield.run();
        events.add(event);
        yield.run();
    }
}
