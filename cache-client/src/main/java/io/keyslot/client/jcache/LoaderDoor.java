// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.client.loading.LoadCause;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The only way to the application's loader: counts, measures, and keeps what a missing partition causes within its bound. A
 * change of the entry that has reached the cache is known to the loader before it is asked.
 */
final class LoaderDoor<K, V> {
    private final CacheParts<K, V> parts;

    LoaderDoor(CacheParts<K, V> parts) {
        this.parts = parts;
    }

    /** Loads a value; null if there is none. */
    @Nullable
    Loaded<V> load(K key, LoadCause cause) {
        long start = parts.ticker().nanos();
        Optional<Loaded<V>> loaded = within(
                Set.of(key), cause, () -> Optional.ofNullable(parts.loader().load(key)));
        parts.loading().early().loadTook(parts.ticker().nanos() - start);
        return loaded.orElse(null);
    }

    /**
     * Refuses a load that would never end, before anybody waits for it.
     *
     * @throws javax.cache.integration.CacheLoaderException if this thread is within the loader of this entry
     */
    void checkNotWithin(K key) {
        parts.loading().calls().checkNotWithin(key);
    }

    /** Loads values; keys without one are left out. */
    Map<K, Loaded<V>> loadAll(Set<K> keys, LoadCause cause) {
        return within(Set.copyOf(keys), cause, () -> parts.loader().loadAll(keys));
    }

    private <T> T within(Set<K> keys, LoadCause cause, Supplier<T> call) {
        parts.writer().awaitChanges(keys);
        if (cause != LoadCause.MISSING_PARTITION) {
            return measured(keys, cause, call);
        }
        if (!parts.loading().bulkhead().enter()) {
            parts.loading().observer().onRejected(cause);
            throw new CacheOverloadedException(
                    ("Cache %s: nothing was loaded, as %d loads for a missing partition are under way;"
                                    + " repeat the call later, or raise loading.bulkhead")
                            .formatted(parts.name(), parts.loading().bulkhead().most()));
        }
        try {
            return measured(keys, cause, call);
        } finally {
            parts.loading().bulkhead().leave();
        }
    }

    private <T> T measured(Set<K> keys, LoadCause cause, Supplier<T> call) {
        long start = parts.ticker().nanos();
        Outcome outcome = Outcome.FAILED;
        try {
            T answer = parts.loading().calls().call(keys, call);
            outcome = Outcome.LOADED;
            return answer;
        } catch (CacheOverloadedException e) {
            outcome = Outcome.REJECTED; // what the loader throws comes as a CacheLoaderException
            throw e;
        } finally {
            if (outcome == Outcome.REJECTED) {
                parts.loading().observer().onRejected(cause);
            } else {
                parts.loading()
                        .observer()
                        .onLoad(cause, outcome == Outcome.LOADED, parts.ticker().nanos() - start);
            }
        }
    }

    private enum Outcome {
        LOADED,
        FAILED,
        REJECTED
    }
}
