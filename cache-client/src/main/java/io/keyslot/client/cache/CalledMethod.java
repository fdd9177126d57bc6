// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.LoadedValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;

/** A method of a caller that returns a missing value. It is called at most once. For use by one thread. */
final class CalledMethod<K, V> implements CacheLoader<K, V> {
    private final Callable<? extends @Nullable Object> method;
    private boolean isOver;
    private @Nullable Object result;
    private @Nullable Exception failure;

    CalledMethod(Callable<? extends @Nullable Object> method) {
        this.method = method;
    }

    /** Carries an exception of the method to all threads that wait for its result. */
    private static final class MethodException extends CacheLoaderException {
        private static final long serialVersionUID = 1L;

        private final Exception thrown;

        MethodException(Exception thrown) {
            super("The method failed: " + thrown, thrown);
            this.thrown = thrown;
        }
    }

    /** Returns the exception of the method, perhaps of another caller, that made the call fail; otherwise null. */
    static @Nullable Exception thrownBy(RuntimeException failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof MethodException known) {
                return known.thrown;
            }
        }
        return null;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // a loader may return null or a wrapped value
    public V load(K key) {
        call();
        if (failure != null) {
            throw new MethodException(failure);
        }
        return (V) result;
    }

    @Override
    public Map<K, V> loadAll(Iterable<? extends K> keys) {
        Map<K, V> loaded = new LinkedHashMap<>();
        keys.forEach(key -> loaded.put(key, load(key)));
        return loaded;
    }

    @SuppressWarnings("IllegalCatch") // the caller receives any exception of its method
    private void call() {
        if (!isOver) {
            try {
                result = method.call();
            } catch (Exception e) {
                failure = e;
            }
            isOver = true;
        }
    }

    boolean isOver() {
        return isOver;
    }

    @SuppressWarnings("unchecked") // the method returns a value of the cache
    @Nullable
    V result() throws Exception {
        call();
        if (failure != null) {
            throw failure;
        }
        return result instanceof LoadedValue<?> loaded ? (V) loaded.value() : (V) result;
    }
}
