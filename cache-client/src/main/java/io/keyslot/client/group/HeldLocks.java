// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.client.time.Waiter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The locks that the groups of one manager hold, to be given back when it is closed. Safe for use by several threads. */
final class HeldLocks implements AutoCloseable {
    /** Each is renewed several times in its lease. */
    static final int MOST = 10_000;

    private final Set<HeldLock> held = ConcurrentHashMap.newKeySet();
    private final Waiter waiter;

    HeldLocks(Waiter waiter) {
        this.waiter = waiter;
    }

    /**
     * Does nothing while there is a place for another lock.
     *
     * @throws CacheOverloadedException if there are too many
     */
    void requirePlace(String root) {
        if (held.size() >= MOST) {
            throw new CacheOverloadedException(
                    "Group %s: the lock was not taken: this manager holds %d locks, which is the most; close some"
                            .formatted(root, MOST));
        }
    }

    void add(HeldLock lock) {
        held.add(lock);
    }

    void remove(HeldLock lock) {
        held.remove(lock);
    }

    /** Gives all locks back together, and waits no longer for them than for one. */
    @Override
    public void close() {
        CompletableFuture<?>[] released =
                List.copyOf(held).stream().map(HeldLock::release).toArray(CompletableFuture<?>[]::new);
        waiter.awaitClose(
                CompletableFuture.allOf(released).thenApply(done -> true), HeldLock.LONGEST_RELEASE, () -> false);
    }
}
