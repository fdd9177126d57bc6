// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.stored.EncodedKey;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The leases of the entries of one raw cache, which has no place for them beside its values: they are known in this process
 * only. Whoever changes an entry here voids its lease, before the change is sent. There are as many as there are loads under
 * way. Safe for use by several threads.
 */
public final class LocalLeases {
    private final ConcurrentMap<EncodedKey, Long> stamps = new ConcurrentHashMap<>();

    /** Takes a lease unless somebody has one; returns the stamp of the one that there is. */
    long take(EncodedKey key, long stamp) {
        Long present = stamps.putIfAbsent(key, stamp);
        return present == null ? stamp : present;
    }

    /** Takes a lease whoever has one. */
    void takeOver(EncodedKey key, long stamp) {
        stamps.put(key, stamp);
    }

    /** Ends this lease; returns whether it was there. */
    boolean end(EncodedKey key, long stamp) {
        return stamps.remove(key, stamp);
    }

    /** Returns whether this lease is there. */
    boolean has(EncodedKey key, long stamp) {
        Long present = stamps.get(key);
        return present != null && present == stamp;
    }

    /** The entry is about to be changed. Behind this, nothing is sent in the name of its lease. */
    void voidLease(EncodedKey key) {
        stamps.remove(key);
    }

    /** As {@link #voidLease}, for all entries. */
    void voidAll() {
        stamps.clear();
    }

    /**
     * Ends this lease and begins what is done in its name, in one step: who voids it comes before, and nothing begins, or
     * after. What is begun must not wait.
     *
     * @return what was begun, null if the lease was not there
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
