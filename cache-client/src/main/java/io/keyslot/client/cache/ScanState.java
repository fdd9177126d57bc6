// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.MissingPartitionScanPolicy;
import io.keyslot.cache.ScanOptions;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Ticker;

/**
 * The state that the partitions of one scan share. Thread-safe.
 *
 * <p>A scan without an order is over when one entry more than the limit was found, so that it is known whether the
 * result is truncated. After that, a failed partition does not matter.
 */
final class ScanState {
    private final ScanOptions options;
    private final Deadline deadline;
    private final long most;
    private volatile boolean over;
    private long found; // guarded by this
    private boolean enough; // guarded by this

    ScanState(ScanOptions options, Ticker ticker, long most) {
        this.options = options;
        this.deadline = Deadline.after(ticker, options.atMost());
        this.most = most;
    }

    ScanOptions options() {
        return options;
    }

    Deadline deadline() {
        return deadline;
    }

    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }

    synchronized void found() {
        found++;
        if (found >= most) {
            enough = true;
            over = true;
        }
    }

    /** Records the failure of a partition, whose entries are lost. Returns whether they are missing in the result. */
    synchronized boolean lost(long entries) {
        if (enough) {
            return false;
        }
        found -= entries;
        if (options.missingPartition() == MissingPartitionScanPolicy.FAIL) {
            over = true;
        }
        return true;
    }
}
