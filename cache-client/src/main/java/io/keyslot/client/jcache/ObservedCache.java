// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.client.telemetry.ObservedHandles;
import io.keyslot.client.telemetry.Telemetry;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import javax.cache.Cache;
import javax.cache.integration.CompletionListener;
import org.jspecify.annotations.Nullable;

/**
 * A proxy for a cache or its {@link FailSafeCalls}, which observes calls by the names of their methods; {@code getAsync}
 * is observed as {@code get}. Accessors of the cache's own properties are not observed. A proxy, because the code for
 * each of the sixty methods would be the same. Immutable.
 */
record ObservedCache(Object target, CacheTelemetry calls, Telemetry client) implements InvocationHandler {

    /** Methods that do not use a partition. */
    private static final Set<String> NO_CALLS = Set.of(
            "getName",
            "getCacheManager",
            "getConfiguration",
            "registerCacheEntryListener",
            "deregisterCacheEntryListener",
            "subscribe",
            "close",
            "isClosed",
            "problemOf",
            "hashCode",
            "toString");

    private static final String ASYNC = "Async";

    /** Returns the cache with observed calls, or itself if calls are not observed. */
    @SuppressWarnings("unchecked")
    static <K, V> PartitionedCache<K, V> around(PartitionedCache<K, V> cache, CacheTelemetry calls, Telemetry client) {
        return calls.observesCalls()
                ? (PartitionedCache<K, V>) proxy(PartitionedCache.class, new ObservedCache(cache, calls, client))
                : cache;
    }

    private static Object proxy(Class<?> type, ObservedCache observed) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, observed);
    }

    @SuppressWarnings("unchecked")
    static <K, V> PartitionedCache<K, V> within(PartitionedCache<K, V> cache) {
        return Proxy.isProxyClass(cache.getClass())
                        && Proxy.getInvocationHandler(cache) instanceof ObservedCache observed
                ? (PartitionedCache<K, V>) observed.target
                : cache;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a proxy equals itself only
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        @Nullable Object[] given = arguments == null ? new Object[0] : arguments;
        return switch (method.getName()) {
            case "equals" -> given[0] == proxy;
            case "unwrap" -> unwrap(proxy, method, (Class<?>) Objects.requireNonNull(given[0]));
            case "group" -> client.around((CacheGroup) Objects.requireNonNull(result(method, given)));
            case "iterator" -> new ObservedIterator<>(iterator(method, given), calls);
            case "forEach", "spliterator" -> InvocationHandler.invokeDefault(proxy, method, given);
            case "loadAll" -> loadAll(given);
            default -> NO_CALLS.contains(method.getName()) ? result(method, given) : call(method, given);
        };
    }

    @SuppressWarnings("unchecked")
    private @Nullable Object call(Method method, @Nullable Object[] given) throws Exception {
        String name = method.getName();
        boolean isOfKey = method.getParameterCount() > 0 && method.getParameterTypes()[0].equals(Object.class);
        Object key = isOfKey ? given[0] : null;
        return name.endsWith(ASYNC)
                ? calls.callLater(name.substring(0, name.length() - ASYNC.length()), key, () ->
                        (CompletionStage<@Nullable Object>) Objects.requireNonNull(unchecked(method, given)))
                : calls.<@Nullable Object, Exception>call(name, key, () -> result(method, given));
    }

    private @Nullable Object result(Method method, @Nullable Object[] given) throws Exception {
        return ObservedHandles.result(method, target, given);
    }

    @SuppressWarnings("unchecked")
    private Iterator<Cache.Entry<Object, Object>> iterator(Method method, @Nullable Object[] given) throws Exception {
        return (Iterator<Cache.Entry<Object, Object>>) Objects.requireNonNull(result(method, given));
    }

    private @Nullable Object unchecked(Method method, @Nullable Object... given) {
        try {
            return result(method, given);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new UndeclaredThrowableException(e);
        }
    }

    private Object unwrap(Object proxy, Method method, Class<?> type) throws Exception {
        if (type.isInstance(proxy)) {
            return proxy;
        }
        Object unwrapped = Objects.requireNonNull(result(method, new Object[] {type}));
        return unwrapped instanceof FailSafeCalls
                ? proxy(FailSafeCalls.class, new ObservedCache(unwrapped, calls, client))
                : unwrapped;
    }

    /** The observation ends before the listener is called. */
    @SuppressWarnings("unchecked")
    private @Nullable Object loadAll(@Nullable Object[] given) {
        KeyslotCache<Object, Object> cache = (KeyslotCache<Object, Object>) target;
        Set<Object> keys = (Set<Object>) Objects.requireNonNull(given[0], "keys");
        boolean replaces = Boolean.TRUE.equals(given[1]);
        CompletionListener listener = (CompletionListener) given[2];
        cache.notifyOf(calls.callLater("loadAll", null, () -> cache.loadAllAsync(keys, replaces)), listener);
        return null;
    }

    /**
     * An iterator of a cache. Only steps that read from partitions are calls, not entries that were read ahead; an
     * observation of the whole iteration would not end if the iterator is abandoned. Not thread-safe.
     */
    private static final class ObservedIterator<K, V> implements Iterator<Cache.Entry<K, V>> {
        private final Iterator<Cache.Entry<K, V>> entries;
        private final CacheTelemetry calls;
        private @Nullable K last;

        ObservedIterator(Iterator<Cache.Entry<K, V>> entries, CacheTelemetry calls) {
            this.entries = entries;
            this.calls = calls;
        }

        @Override
        public boolean hasNext() {
            return isAtHand() ? entries.hasNext() : calls.call("iterator", null, entries::hasNext);
        }

        private boolean isAtHand() {
            return entries instanceof CacheScans<?, ?>.Entries iterator && iterator.isAtHand();
        }

        @Override
        public Cache.Entry<K, V> next() {
            boolean unused = hasNext();
            Cache.Entry<K, V> entry = entries.next();
            last = entry.getKey();
            return entry;
        }

        @Override
        public void remove() {
            calls.run("remove", last, entries::remove);
        }
    }
}
