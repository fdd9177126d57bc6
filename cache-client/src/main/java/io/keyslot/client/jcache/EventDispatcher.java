// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.event.EventGap;
import io.keyslot.cache.feed.FeedBatch;
import io.keyslot.cache.feed.FeedChange;
import io.keyslot.cache.feed.FeedSubscription;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.LogPace;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryListenerException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes changes to the listeners of a cache: those by callers in this process, or with a feed, to asynchronous listeners,
 * those by all processes. Thread-safe.
 * <ul>
 * <li>A synchronous listener runs on the caller's thread, after the change and before the call returns. Its failure
 * reaches the caller; the change stays.
 * <li>Asynchronous listeners receive one event after the other on the manager's pool; their failures are logged.
 * <li>Listeners receive the events of an entry in the order of its changes, as callers lock entries with listeners.
 * </ul>
 */
final class EventDispatcher<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(EventDispatcher.class);

    private final List<Registration<K, V>> local = new CopyOnWriteArrayList<>();
    private final List<Registration<K, V>> ofFeed = new CopyOnWriteArrayList<>();
    private final String cacheName;
    private final SerialExecutor asynchronous;
    private final LogPace pace;
    private volatile @Nullable Function<Executor, Reading> feed;
    private volatile @Nullable Reading reading; // written while holding this

    EventDispatcher(String cacheName, SerialExecutor asynchronous, LogPace pace) {
        this.cacheName = cacheName;
        this.asynchronous = asynchronous;
        this.pace = pace;
    }

    /** The reading of a feed for the listeners. */
    interface Reading extends FeedSubscription {
        /** Waits for a short time until it is known where the reading begins. */
        void settle();
    }

    /**
     * Makes asynchronous listeners receive the changes in a feed instead of those by this process. Call this before the first
     * registration.
     *
     * @param begin begins to read the feed, without waiting, and passes its batches to {@link #publish} by an executor
     */
    void listenTo(Function<Executor, Reading> begin) {
        feed = begin;
    }

    /** Waits for a short time until the registered listeners receive all later changes. */
    void settle() {
        Reading present = reading;
        if (present != null) {
            present.settle();
        }
    }

    /** Returns whether no listener receives the changes by callers. */
    boolean isEmpty() {
        return local.isEmpty();
    }

    /**
     * Adds a listener; throws {@code IllegalArgumentException} if it is registered, or requires unavailable old values.
     */
    synchronized void register(CacheEntryListenerConfiguration<K, V> configuration) {
        Function<Executor, Reading> begin = configuration.isSynchronous() ? null : feed;
        List<Registration<K, V>> registrations = begin == null ? local : ofFeed;
        if (registrations.stream().anyMatch(registration -> registration.isFor(configuration))) {
            throw new IllegalArgumentException("A listener with an equal configuration is registered already");
        }
        if (begin != null && configuration.isOldValueRequired()) {
            throw new IllegalArgumentException(
                    "Cache %s: a listener requires old values, which a feed does not have; require none, or set events to local, or register it as synchronous"
                            .formatted(cacheName));
        }
        registrations.add(new Registration<>(configuration));
        if (begin != null && reading == null) {
            reading = begin.apply(asynchronous);
        }
    }

    synchronized void deregister(
            CacheEntryListenerConfiguration<K, V> configuration, Consumer<List<Closeable>> closing) {
        for (List<Registration<K, V>> registrations : List.of(local, ofFeed)) {
            for (Registration<K, V> registration : registrations) {
                if (registration.isFor(configuration)) {
                    registrations.remove(registration);
                    endReadingIfUnused();
                    closing.accept(registration.closeables());
                    return;
                }
            }
        }
    }

    /** Called with the lock held. */
    private void endReadingIfUnused() {
        Reading present = reading;
        if (ofFeed.isEmpty() && present != null) {
            present.close();
            reading = null;
        }
    }

    /** Publishes a change, copied for each listener; throws the first failure of a synchronous listener at the end. */
    void dispatch(Cache<K, V> source, CacheEvent<K, V> change, UnaryOperator<V> copying) {
        CacheEntryListenerException failure = null;
        for (Registration<K, V> registration : local) {
            CacheEvent<K, V> event = change.copied(source, copying);
            if (!registration.isSynchronous()) {
                publishLater(() -> registration.deliver(source, event));
                continue;
            }
            try {
                registration.deliver(source, event);
            } catch (CacheEntryListenerException e) {
                failure = Closing.joined(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void publishLater(Runnable delivery) {
        try {
            asynchronous.execute(() -> publish(delivery));
        } catch (RejectedExecutionException full) {
            if (pace.permits("dropped")) {
                LOG.warn("Cache {}: the listeners are slower than the changes, events are dropped", cacheName);
            }
        }
    }

    private void publish(Runnable delivery) {
        try {
            delivery.run();
        } catch (CacheEntryListenerException | Error e) { // an Error as well must not keep events from other listeners
            LOG.warn("Cache {}: an asynchronous listener failed", cacheName, e);
        }
    }

    /** Publishes a batch of the feed, whose values are copied for each listener. A change without its value is a gap. */
    void publish(Cache<K, V> source, FeedBatch<K, V> batch, UnaryOperator<V> copying) {
        boolean isGap = batch.isGap() || batch.changes().stream().anyMatch(EventDispatcher::isWithoutValue);
        EventGap gap = isGap ? new EventGap(batch.partition()) : null;
        ofFeed.forEach(registration -> publish(() -> registration.publishGaps(source, gap)));
        for (FeedChange<K, V> change : batch.changes()) {
            if (change.kind() != FeedChange.Kind.GROUP && !isWithoutValue(change)) {
                ofFeed.forEach(registration -> publish(() -> registration.publish(source, change, copying)));
            }
        }
    }

    private static boolean isWithoutValue(FeedChange<?, ?> change) {
        return change.kind() == FeedChange.Kind.PUT && change.value() == null;
    }

    /** Removes all listeners; returns the objects to close. */
    synchronized List<Closeable> removeAll() {
        List<Closeable> closeables = new ArrayList<>();
        local.forEach(registration -> closeables.addAll(registration.closeables()));
        ofFeed.forEach(registration -> closeables.addAll(registration.closeables()));
        local.clear();
        ofFeed.clear();
        endReadingIfUnused();
        return closeables;
    }
}
