// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.cache.LoadedValue;
import io.keyslot.client.entry.FailSafeCalls;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.cache.configuration.Configuration;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.support.NullValue;
import org.springframework.cache.support.SimpleValueWrapper;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * A cache for Spring's cache abstraction whose failures never fail a call. A typed cache holds no null: a method that
 * returns null is called again. Safe for use by several threads.
 */
final class FailSafeCache implements Cache {
    private final javax.cache.Cache<Object, Object> cache;
    private final FailSafeCalls<Object, Object> calls;
    private final @Nullable EntryLifetime lifetime;
    private final @Nullable Duration lifetimeOfMethod;
    private final Executor executor;
    private final boolean holdsNull;

    @SuppressWarnings("unchecked") // the cache returns values of its types
    FailSafeCache(javax.cache.Cache<Object, Object> cache, @Nullable EntryLifetime lifetime, Executor executor) {
        this.cache = cache;
        this.calls = cache.unwrap(FailSafeCalls.class);
        this.lifetime = lifetime;
        this.lifetimeOfMethod = null;
        this.executor = executor;
        this.holdsNull =
                cache.getConfiguration(Configuration.class).getValueType().isAssignableFrom(NullValue.class);
    }

    private FailSafeCache(FailSafeCache same, Duration lifetimeOfMethod) {
        this.cache = same.cache;
        this.calls = same.calls;
        this.lifetime = same.lifetime;
        this.lifetimeOfMethod = lifetimeOfMethod;
        this.executor = same.executor;
        this.holdsNull = same.holdsNull;
    }

    /** Returns a view of this cache with a time to live for entries that have no other. */
    FailSafeCache livingFor(Duration duration) {
        return new FailSafeCache(this, duration);
    }

    boolean isClosed() {
        return cache.isClosed();
    }

    /** Returns why no value of a declared type can be stored, as far as its declaration tells; null if it can. */
    @SuppressWarnings("unchecked") // the class of a generic interface
    @Nullable
    String problemOf(ResolvableType declared) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(declared.toClass());
        Class<?> held = cache.getConfiguration(Configuration.class).getValueType();
        boolean isHeld = held.isAssignableFrom(type) || type.isAssignableFrom(held) || type.isInterface();
        return isHeld
                ? calls.problemOf(declared.getType())
                : "the value-type of the cache is %s, not %s".formatted(held.getName(), type.getName());
    }

    @Override
    public String getName() {
        return cache.getName();
    }

    @Override
    public Object getNativeCache() {
        return cache;
    }

    @Override
    public @Nullable ValueWrapper get(Object key) {
        return wrapped(calls.get(key));
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // null is no entry, and the caller names the type
    public <T> @Nullable T get(Object key, @Nullable Class<T> type) {
        Object value = fromStored(calls.get(key));
        if (value != null && type != null && !type.isInstance(value)) {
            throw new IllegalStateException(
                    "Cache %s: a value is of %s, not of %s".formatted(getName(), value.getClass(), type.getName()));
        }
        return (T) value;
    }

    /** Returns the known values by key, in the order of the keys. */
    Map<Object, @Nullable Object> getAll(Set<Object> keys) {
        Map<Object, Object> stored = calls.getAll(keys);
        Map<Object, @Nullable Object> values = new LinkedHashMap<>();
        keys.stream().filter(stored::containsKey).forEach(key -> values.put(key, fromStored(stored.get(key))));
        return values;
    }

    @Override
    @SuppressWarnings({"unchecked", "IllegalCatch", "NullAway"}) // exceptions of the method belong to its caller
    public <T> @Nullable T get(Object key, Callable<T> method) {
        try {
            return (T) fromStored(calls.load(key, () -> toLoaded(key, method.call())));
        } catch (Exception e) {
            throw new ValueRetrievalException(key, method, e);
        }
    }

    @Override
    public CompletableFuture<?> retrieve(Object key) {
        return calls.getAsync(key).thenApply(FailSafeCache::wrapped).toCompletableFuture();
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the method returns values of the type, or null
    public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> method) {
        AtomicBoolean isCalled = new AtomicBoolean();
        Callable<@Nullable Object> awaiting = () -> {
            isCalled.set(true);
            return toLoaded(key, awaited(method.get()));
        };
        return calls.loadAsync(key, awaiting, executor)
                .thenApply(stored -> (T) fromStored(stored))
                .exceptionallyComposeAsync(
                        failure -> failure.getCause() instanceof RejectedExecutionException && !isCalled.get()
                                ? method.get() // too many calls wait for methods
                                : CompletableFuture.failedFuture(failure))
                .toCompletableFuture();
    }

    private static @Nullable Object awaited(CompletableFuture<?> future) throws Exception {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    public void put(Object key, @Nullable Object value) {
        Object stored = toStored(value);
        Duration timeToLive = lifetimeOf(key, value);
        if (stored == null) {
            calls.remove(key);
        } else {
            calls.put(key, stored, timeToLive);
        }
    }

    /** Stores values, together if they live equally long. */
    void putAll(Map<Object, @Nullable Object> values) {
        Map<Optional<Duration>, Map<Object, Object>> byLifetime = new LinkedHashMap<>();
        values.forEach((key, value) -> {
            Object stored = toStored(value);
            if (stored != null) {
                byLifetime
                        .computeIfAbsent(Optional.ofNullable(lifetimeOf(key, value)), first -> new LinkedHashMap<>())
                        .put(key, stored);
            }
        });
        byLifetime.forEach((timeToLive, entries) -> calls.putAll(entries, timeToLive.orElse(null)));
    }

    @Override
    public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
        Object stored = toStored(value);
        return stored == null ? get(key) : wrapped(calls.putIfAbsent(key, stored, lifetimeOf(key, value)));
    }

    @Override
    public void evict(Object key) {
        calls.remove(key);
    }

    void evictAll(Set<Object> keys) {
        calls.removeAll(keys);
    }

    @Override
    public boolean evictIfPresent(Object key) {
        return calls.remove(key);
    }

    @Override
    public void clear() {
        calls.clear();
    }

    private @Nullable Duration lifetimeOf(Object key, @Nullable Object value) {
        Duration ofEntry = lifetime == null ? null : lifetime.of(getName(), key, value);
        return ofEntry == null ? lifetimeOfMethod : ofEntry;
    }

    private @Nullable Object toLoaded(Object key, @Nullable Object value) {
        Object stored = toStored(value);
        Duration timeToLive = stored == null ? null : lifetimeOf(key, value);
        return stored == null || timeToLive == null ? stored : new LoadedValue<>(stored, timeToLive);
    }

    private @Nullable Object toStored(@Nullable Object value) {
        return value == null && holdsNull ? NullValue.INSTANCE : value;
    }

    private static @Nullable Object fromStored(@Nullable Object stored) {
        return stored instanceof NullValue ? null : stored;
    }

    private static @Nullable ValueWrapper wrapped(@Nullable Object stored) {
        return stored == null ? null : new SimpleValueWrapper(fromStored(stored));
    }
}
