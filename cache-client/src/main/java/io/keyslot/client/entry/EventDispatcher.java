// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.event.EventGap;
import io.keyslot.client.concurrent.SerialExecutor;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the changes by callers in this process to the listeners of a cache. Thread-safe.
 * <ul>
 * <li>A synchronous listener runs on the caller's thread, after the change and before the call returns. Its failure
 * reaches the caller; the change stays.
 * <li>Asynchronous listeners receive one event after the other on the manager's pool; their failures are logged.
 * <li>Listeners receive the events of an entry in the order of its changes, as callers lock entries with listeners.
 * </ul>
 */
public final class EventDispatcher<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(EventDispatcher.class);

    private final List<Registration<K, V>> registrations = new CopyOnWriteArrayList<>();
    private final SerialExecutor asynchronous;
    private volatile Elsewhere<? super K> elsewhere = Elsewhere.NONE;

    public EventDispatcher(SerialExecutor asynchronous) {
        this.asynchronous = asynchronous;
    }

    /**
     * Makes asynchronous listeners receive changes of other processes, too. Call this before the first registration.
     */
    public void listenElsewhere(Elsewhere<? super K> others) {
        elsewhere = others;
        asynchronous.onDrop(others::dropped);
    }

    /** Waits for a short time until the registered listeners receive changes of other processes. */
    public void settle() {
        elsewhere.settle();
    }

    public boolean isEmpty() {
        return registrations.isEmpty();
    }

    /**
     * Adds a listener; throws {@code IllegalArgumentException} if it is registered, or requires unavailable old values.
     */
    public synchronized void register(CacheEntryListenerConfiguration<K, V> configuration) {
        if (registrations.stream().anyMatch(registration -> registration.isFor(configuration))) {
            throw new IllegalArgumentException("A listener with an equal configuration is registered already");
        }
        if (configuration.isOldValueRequired() && !configuration.isSynchronous()) {
            elsewhere.refuseOldValues();
        }
        registrations.add(new Registration<>(configuration));
        if (!configuration.isSynchronous()) {
            elsewhere.begin();
        }
    }

    public synchronized void deregister(
            CacheEntryListenerConfiguration<K, V> configuration, Consumer<List<Closeable>> closing) {
        for (Registration<K, V> registration : registrations) {
            if (registration.isFor(configuration)) {
                registrations.remove(registration);
                closeIfUnused();
                closing.accept(registration.closeables());
                return;
            }
        }
    }

    /** Publishes a change, copied for each listener; throws the first failure of a synchronous listener at the end. */
    void dispatch(Cache<K, V> source, CacheEvent<K, V> change, UnaryOperator<V> copying) {
        if (change.getEventType() == EventType.REMOVED) {
            elsewhere.removalPublished(change.getKey());
        }
        CacheEntryListenerException failure = null;
        for (Registration<K, V> registration : registrations) {
            CacheEvent<K, V> event = change.copied(source, copying);
            if (!registration.isSynchronous()) {
                asynchronous.execute(() -> publishLater(source, () -> registration.deliver(source, event)));
                continue;
            }
            try {
                registration.deliver(source, event);
            } catch (CacheEntryListenerException e) {
                if (failure == null) {
                    failure = e;
                } else if (!failure.equals(e)) {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static void publishLater(Cache<?, ?> source, Runnable telling) {
        try {
            telling.run();
        } catch (CacheEntryListenerException e) {
            LOG.warn("Cache {}: an asynchronous listener failed", source.getName(), e);
        }
    }

    /** Removes all listeners; returns the objects to close. */
    public synchronized List<Closeable> removeAll() {
        List<Closeable> closeables = new ArrayList<>();
        registrations.forEach(registration -> closeables.addAll(registration.closeables()));
        registrations.clear();
        elsewhere.end();
        return closeables;
    }

    private void closeIfUnused() {
        if (registrations.stream().allMatch(Registration::isSynchronous)) {
            elsewhere.end();
        }
    }

    /** Returns how many more events the queue of the asynchronous listeners takes. */
    public int room() {
        return asynchronous.room();
    }

    /** Publishes the value that other processes have left; returns false if the queue is full. */
    boolean publishRemaining(Cache<K, V> source, K key, @Nullable V value, UnaryOperator<V> copying) {
        return asynchronous.offer(() ->
                toAsynchronous(source, registration -> registration.publishRemaining(source, key, value, copying)));
    }

    /** Publishes gaps, in which events may be missing; returns false if the queue is full. */
    boolean publishGaps(Cache<K, V> source, Supplier<List<EventGap>> gaps) {
        return asynchronous.offer(() -> gaps.get()
                .forEach(gap -> toAsynchronous(source, registration -> registration.publishGap(source, gap))));
    }

    private void toAsynchronous(Cache<K, V> source, Consumer<Registration<K, V>> telling) {
        for (Registration<K, V> registration : registrations) {
            if (!registration.isSynchronous()) {
                publishLater(source, () -> telling.accept(registration));
            }
        }
    }

    /** Publishes changes of other processes to the listeners of a cache. Thread-safe. */
    public interface Elsewhere<K> {
        Elsewhere<Object> NONE = new Elsewhere<>() {};

        /** Throws {@code IllegalArgumentException} if old values, which a listener requires, are not available. */
        default void refuseOldValues() {}

        /** Begins to publish; called for each asynchronous listener. Does not wait. */
        default void begin() {}

        /** Waits for a short time until {@link #begin} is effective. */
        default void settle() {}

        /** Called with the lock of the key when this process publishes its own removal. */
        default void removalPublished(K key) {}

        default void dropped() {}

        /** Stops publishing after the last asynchronous listener was removed. Does not wait. */
        default void end() {}
    }
}
