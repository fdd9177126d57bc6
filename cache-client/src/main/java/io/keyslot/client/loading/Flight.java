// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A load of one entry by one thread of this process, the leader, for all threads that wait for it. The leader calls
 * {@link #begin} before it reads the entry or calls the loader, and always ends the flight. Thread-safe.
 */
final class Flight<V> {
    /** The stamp of the lease under which the loader is called, 0 for none; null until the entry is read. */
    private volatile @Nullable Long lease;

    private volatile boolean shared;

    /** How long the leader waited for the entry's partition; known when the flight has ended. */
    private volatile Duration spent = Duration.ZERO;

    private final CompletableFuture<LoadResult<V>> result = new CompletableFuture<>();

    /**
     * Records that the result depends on reads and loads from now on, under a lease or on an entry with this stamp, or
     * 0.
     */
    void begin(long underLease) {
        lease = underLease;
    }

    /**
     * Returns whether the result may answer a new read that saw this stamp of a lease or entry, 0 for none. It may if
     * the leader has not read anything yet, or if the lease still exists: then the entry has not changed since the
     * loader was called. Otherwise the result may be older than a change that the reader knows of.
     */
    boolean mayAnswer(long seenMark) {
        Long begun = lease;
        return begun == null || (begun != 0 && begun == seenMark);
    }

    void spent(Duration onPartitions) {
        spent = onPartitions;
    }

    Duration spent() {
        return spent;
    }

    /** Returns the future result. It never fails. */
    CompletableFuture<LoadResult<V>> result() {
        return result;
    }

    void share() {
        shared = true;
    }

    boolean isShared() {
        return shared;
    }

    void end(LoadResult<V> how) {
        result.complete(how);
    }
}
