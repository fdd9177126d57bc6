// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A load of one entry by one thread of this process, for all who wait for it. The thread that leads it begins it before it looks at the entry or calls the
 * loader, and ends it in any case. Safe for use by several threads.
 */
final class Flight<V> {
    /** The stamp of the lease under which the loader is called, 0 for without one; null before anything was looked at. */
    private volatile @Nullable Long lease;

    /** Whether another thread gets the result. */
    private volatile boolean shared;

    /** How long its leader waited for the entry's partition meanwhile; known when it has ended. */
    private volatile Duration spent = Duration.ZERO;

    private final CompletableFuture<LoadResult<V>> result = new CompletableFuture<>();

    /**
     * Says that what is read or loaded from now on may be the result.
     *
     * @param underLease the stamp of the lease in the entry's place, or of the entry that is loaded again; 0 if there is
     *     none
     */
    void begin(long underLease) {
        lease = underLease;
    }

    /**
     * Returns whether the result may answer a read that comes now and saw this stamp in the entry's place, 0 for none.
     *
     * <p>It may if nothing was looked at yet. It may also if the lease is still there: then nothing was put or removed
     * since the loader was called. Otherwise the result may be older than a change that the reader knows of.
     */
    boolean mayAnswer(long seenMark) {
        Long begun = lease;
        return begun == null || (begun != 0 && begun == seenMark);
    }

    /** Says how long the leader waited for the entry's partition meanwhile, just before the flight ends. */
    void spent(Duration onPartitions) {
        spent = onPartitions;
    }

    /** Returns how long the leader waited for the entry's partition meanwhile; zero if that is not known. */
    Duration spent() {
        return spent;
    }

    /** Returns how the load ended, once it has. Never fails. */
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
