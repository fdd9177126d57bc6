// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.event;

import io.keyslot.client.pool.SerialExecutor;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryListenerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the listeners of a cache of what its own callers in this process changed.
 *
 * <ul>
 *   <li>A synchronous listener runs on the caller's thread, after the change and before the call returns. Its failure
 *       reaches the caller; the change stays.
 *   <li>Asynchronous listeners run one event after the other on the manager's pool; their failures are logged.
 *   <li>The events of one entry come in the order of its changes: callers change entries that are listened to in turn.
 * </ul>
 *
 * <p>Safe for use by several threads.
 */
public final class EventDispatcher<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(EventDispatcher.class);

    private final List<Registration<K, V>> registrations = new CopyOnWriteArrayList<>();
    private final SerialExecutor asynchronous;

    public EventDispatcher(SerialExecutor asynchronous) {
        this.asynchronous = asynchronous;
    }

    /** Returns whether nobody listens, so that old values need not be read. */
    public boolean isEmpty() {
        return registrations.isEmpty();
    }

    /**
     * Adds a listener.
     *
     * @throws IllegalArgumentException if one is registered with an equal configuration
     */
    public synchronized void register(CacheEntryListenerConfiguration<K, V> configuration) {
        if (registrations.stream().anyMatch(registration -> registration.isFor(configuration))) {
            throw new IllegalArgumentException("A listener with an equal configuration is registered already");
        }
        registrations.add(new Registration<>(configuration));
    }

    /** Removes the listener with an equal configuration, if there is one, and closes it. */
    public synchronized void deregister(
            CacheEntryListenerConfiguration<K, V> configuration, Consumer<List<Closeable>> closing) {
        for (Registration<K, V> registration : registrations) {
            if (registration.isFor(configuration)) {
                registrations.remove(registration);
                closing.accept(registration.closeables());
                return;
            }
        }
    }

    /**
     * Tells every listener; the first failure of a synchronous one is thrown when all were told.
     *
     * @param copying copies a value: what a listener hears is its own, and nobody changes it meanwhile
     */
    void dispatch(Cache<K, V> source, List<CacheEvent<K, V>> changes, UnaryOperator<V> copying) {
        if (changes.isEmpty()) {
            return;
        }
        List<CacheEntryListenerException> failures = new ArrayList<>();
        for (Registration<K, V> registration : registrations) {
            List<CacheEvent<K, V>> events =
                    changes.stream().map(event -> event.copied(source, copying)).toList();
            if (registration.isSynchronous()) {
                try {
                    registration.tell(source, events);
                } catch (CacheEntryListenerException e) {
                    failures.add(e);
                }
            } else {
                asynchronous.execute(() -> tellLater(registration, source, events));
            }
        }
        if (!failures.isEmpty()) {
            CacheEntryListenerException first = failures.get(0);
            failures.stream().filter(next -> !next.equals(first)).forEach(first::addSuppressed);
            throw first;
        }
    }

    private static <K, V> void tellLater(
            Registration<K, V> registration, Cache<K, V> source, List<CacheEvent<K, V>> events) {
        try {
            registration.tell(source, events);
        } catch (CacheEntryListenerException e) {
            LOG.warn("Cache {}: an asynchronous listener failed", source.getName(), e);
        }
    }

    /** Removes all listeners; returns what has to be closed with them. */
    public synchronized List<Closeable> removeAll() {
        List<Closeable> closeables = new ArrayList<>();
        registrations.forEach(registration -> closeables.addAll(registration.closeables()));
        registrations.clear();
        return closeables;
    }
}
