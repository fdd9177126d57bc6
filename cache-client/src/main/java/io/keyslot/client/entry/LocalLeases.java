// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.routing.Channel;
import io.keyslot.client.stored.EncodedKey;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one raw cache, which exist only in this process, as raw values have no place for leases. Each change of
 * an entry in this process ends its lease before the change is sent. Thread-safe.
 */
public final class LocalLeases {
    private final ConcurrentMap<EncodedKey, Long> stamps = new ConcurrentHashMap<>();

    /** Returns the channel of the cache, which sends what does not concern leases to the next one. */
    public Channel around(Channel next) {
        return new RawChannel(next, this);
    }

    /** Takes a lease unless there is one; returns the stamp of the present lease. */
    long take(EncodedKey key, long stamp) {
        Long present = stamps.putIfAbsent(key, stamp);
        return present == null ? stamp : present;
    }

    void takeOver(EncodedKey key, long stamp) {
        stamps.put(key, stamp);
    }

    boolean end(EncodedKey key, long stamp) {
        return stamps.remove(key, stamp);
    }

    boolean has(EncodedKey key, long stamp) {
        Long present = stamps.get(key);
        return present != null && present == stamp;
    }

    /** Ends the lease of an entry that is about to be changed. Nothing is sent under the lease after this. */
    void voidLease(EncodedKey key) {
        stamps.remove(key);
    }

    void voidAll() {
        stamps.clear();
    }

    /**
     * Ends this lease and starts its action, which must not wait, in one step: {@link #voidLease} either comes before,
     * and nothing starts, or after. Returns the action's result, or null if the lease did not exist.
     */
    <R> @Nullable R use(EncodedKey key, long stamp, Supplier<R> beginning) {
        AtomicReference<@Nullable R> begun = new AtomicReference<>();
        stamps.computeIfPresent(key, (same, present) -> {
            if (present != stamp) {
                return present;
            }
            begun.set(beginning.get());
            return null;
        });
        return begun.get();
    }
}
