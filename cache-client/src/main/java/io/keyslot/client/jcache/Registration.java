// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.event.EventGap;
import io.keyslot.cache.event.EventGapListener;
import io.keyslot.cache.feed.FeedChange;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

final class Registration<K, V> {
    private final CacheEntryListenerConfiguration<K, V> configuration;
    private final CacheEntryListener<? super K, ? super V> listener;
    private final @Nullable CacheEntryEventFilter<? super K, ? super V> filter;
    private final Set<EventGap> gaps = new LinkedHashSet<>(); // not accepted yet; used by one thread at a time

    Registration(CacheEntryListenerConfiguration<K, V> configuration) {
        this.configuration = configuration;
        this.listener = configuration.getCacheEntryListenerFactory().create();
        Factory<CacheEntryEventFilter<? super K, ? super V>> filters = configuration.getCacheEntryEventFilterFactory();
        this.filter = filters == null ? null : filters.create();
    }

    boolean isFor(CacheEntryListenerConfiguration<K, V> other) {
        return configuration.equals(other);
    }

    boolean isSynchronous() {
        return configuration.isSynchronous();
    }

    /** Passes an event to the listener if it accepts it; throws if the listener or its filter fails. */
    void deliver(Cache<K, V> source, CacheEvent<K, V> original) {
        try {
            CacheEvent<K, V> event = configuration.isOldValueRequired() ? original : original.withoutOldValue(source);
            if (listensTo(event.getEventType()) && (filter == null || filter.evaluate(event))) {
                call(event.getEventType(), List.of(event));
            }
        } catch (CacheEntryListenerException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CacheEntryListenerException("Cache %s: a listener failed: %s".formatted(source.getName(), e), e);
        }
    }

    /**
     * Publishes a change of the feed, which does not tell whether there was an entry before: a stored value is an update, or a
     * creation to a listener without updates.
     */
    void publish(Cache<K, V> source, FeedChange<K, V> change, UnaryOperator<V> copying) {
        EventType type = change.kind() == FeedChange.Kind.REMOVE
                ? EventType.REMOVED
                : listensTo(EventType.UPDATED) ? EventType.UPDATED : EventType.CREATED;
        deliver(source, new CacheEvent<K, V>(source, type, change.key(), change.value(), null).copied(source, copying));
    }

    /** Notifies a gap listener of earlier gaps at which it failed, and of the latest one. */
    void publishGaps(Cache<K, V> source, @Nullable EventGap latest) {
        if (listener instanceof EventGapListener interested) {
            if (latest != null) {
                gaps.add(latest);
            }
            try {
                for (EventGap gap : List.copyOf(gaps)) {
                    interested.onGap(gap);
                    gaps.remove(gap);
                }
            } catch (RuntimeException e) {
                throw new CacheEntryListenerException(
                        "Cache %s: a listener failed at a gap: %s".formatted(source.getName(), e), e);
            }
        }
    }

    private boolean listensTo(EventType type) {
        return switch (type) {
            case CREATED -> listener instanceof CacheEntryCreatedListener;
            case UPDATED -> listener instanceof CacheEntryUpdatedListener;
            case REMOVED -> listener instanceof CacheEntryRemovedListener;
            case EXPIRED -> listener instanceof CacheEntryExpiredListener;
        };
    }

    @SuppressWarnings("unchecked") // a listener for supertypes accepts the events of the cache's types
    private void call(EventType type, List<CacheEntryEvent<? extends K, ? extends V>> events) {
        CacheEntryListener<K, V> typed = (CacheEntryListener<K, V>) listener;
        switch (type) {
            case CREATED -> ((CacheEntryCreatedListener<K, V>) typed).onCreated(events);
            case UPDATED -> ((CacheEntryUpdatedListener<K, V>) typed).onUpdated(events);
            case REMOVED -> ((CacheEntryRemovedListener<K, V>) typed).onRemoved(events);
            case EXPIRED -> ((CacheEntryExpiredListener<K, V>) typed).onExpired(events);
        }
    }

    List<Closeable> closeables() {
        List<Closeable> closeables = new ArrayList<>();
        if (listener instanceof Closeable closeable) {
            closeables.add(closeable);
        }
        if (filter instanceof Closeable closeable) {
            closeables.add(closeable);
        }
        return closeables;
    }
}
