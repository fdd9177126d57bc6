// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.client.loading.LoadCause;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The only way to the application's loader: counts, measures, and keeps what a missing partition causes within its bound. */
final class LoaderDoor<K, V> {
    private final CacheParts<K, V> parts;

    LoaderDoor(CacheParts<K, V> parts) {
        this.parts = parts;
    }

    /** Loads a value; null if there is none. */
    @Nullable
    Loaded<V> load(K key, LoadCause cause) {
        return within(cause, () -> Optional.ofNullable(parts.loader().load(key)))
                .orElse(null);
    }

    /** Loads values; keys without one are left out. */
    Map<K, Loaded<V>> loadAll(Set<K> keys, LoadCause cause) {
        return within(cause, () -> parts.loader().loadAll(keys));
    }

    private <T> T within(LoadCause cause, Supplier<T> call) {
        if (cause != LoadCause.MISSING_PARTITION) {
            return measured(cause, call);
        }
        if (!parts.loading().bulkhead().enter()) {
            parts.loading().observer().onRejected(cause);
            throw new CacheOverloadedException(
                    ("Cache %s: nothing was loaded, as %d loads for a missing partition are under way;"
                                    + " repeat the call later, or raise loading.bulkhead")
                            .formatted(parts.name(), parts.loading().bulkhead().most()));
        }
        try {
            return measured(cause, call);
        } finally {
            parts.loading().bulkhead().leave();
        }
    }

    private <T> T measured(LoadCause cause, Supplier<T> call) {
        long start = parts.ticker().nanos();
        boolean succeeded = false;
        try {
            T answer = parts.loading().calls().call(call);
            succeeded = true;
            return answer;
        } finally {
            long nanos = parts.ticker().nanos() - start;
            if (succeeded) {
                parts.loading().early().loadTook(nanos);
            }
            parts.loading().observer().onLoad(cause, succeeded, nanos);
        }
    }
}
