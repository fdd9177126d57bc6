// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import org.jspecify.annotations.Nullable;

/** What the listener of one process was told. */
final class Told
        implements CacheEntryCreatedListener<Object, Date>,
                CacheEntryUpdatedListener<Object, Date>,
                CacheEntryRemovedListener<Object, Date> {
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
    public void onCreated(Iterable<CacheEntryEvent<? extends Object, ? extends Date>> created) {
        created.forEach(event -> tell(event, event.getValue(), null));
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends Object, ? extends Date>> updated) {
        updated.forEach(event -> tell(event, event.getValue(), event.getOldValue()));
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends Object, ? extends Date>> removed) {
        removed.forEach(event -> tell(event, null, event.getOldValue()));
    }

    private void tell(
            CacheEntryEvent<? extends Object, ? extends Date> event, @Nullable Date value, @Nullable Date old) {
        yield.run();
        events.add(new Event(Form.nameOf(event.getKey()), Values.taken(value), Values.taken(old)));
        yield.run();
    }
}
