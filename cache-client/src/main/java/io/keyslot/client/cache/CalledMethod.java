// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.LoadedValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;

/** A method that a caller brings along to be asked for a missing value. It is called once at most. For use by one thread. */
final class CalledMethod<K, V> implements CacheLoader<K, V> {
    private final Callable<? extends @Nullable Object> method;
    private boolean isOver;
    private @Nullable Object result;
    private @Nullable Exception failure;

    /** @param method may give a value, a {@link LoadedValue}, or null */
    CalledMethod(Callable<? extends @Nullable Object> method) {
        this.method = method;
    }

    /** What a method has thrown, on its way through those who wait for it. */
    private static final class MethodException extends CacheLoaderException {
        private static final long serialVersionUID = 1L;

        private final Exception thrown;

        MethodException(Exception thrown) {
            super("The method failed: " + thrown, thrown);
            this.thrown = thrown;
        }
    }

    /** Returns what a method has thrown that was called for this caller too; null if that is not why the call failed. */
    static @Nullable Exception thrownBy(RuntimeException failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof MethodException known) {
                return known.thrown;
            }
        }
        return null;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // a loader may return null, and what stands for a value
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

    @SuppressWarnings("IllegalCatch") // whatever it throws belongs to its caller
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

    /** Returns what the method gives, calling it if it was not; throws what it throws. */
    @SuppressWarnings("unchecked") // what it gives is a value of the cache
    @Nullable
    V result() throws Exception {
        call();
        if (failure != null) {
            throw failure;
        }
        return result instanceof LoadedValue<?> loaded ? (V) loaded.value() : (V) result;
    }
}
