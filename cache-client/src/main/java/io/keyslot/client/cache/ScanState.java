// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.MissingPartitionScanPolicy;
import io.keyslot.cache.ScanOptions;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Ticker;

/**
 * What the partitions of one scan know of each other: whether it is over. Safe for use by several threads.
 *
 * <p>A scan without an order is over when one entry more than the limit was found, so that it is known whether the limit
 * left something out. From then on no partition is missed: what it would have is not needed.
 */
final class ScanState {
    private final ScanOptions options;
    private final Deadline deadline;
    private final long most;
    private volatile boolean over;
    private long found; // guarded by this
    private boolean enough; // guarded by this

    /** @param most after how many entries there are enough */
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

    /** Returns whether nothing more is needed; the deadline is not looked at. */
    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }

    /** An entry was found. */
    synchronized void found() {
        found++;
        if (found >= most) {
            enough = true;
            over = true;
        }
    }

    /**
     * A partition was lost, and with it what it had found. Returns whether it is missed.
     *
     * @param entries how many entries it had found
     */
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
