// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Decides which read of an entry that is still fresh loads it again: the closer to its expiry and the slower the loader, the
 * more probably, so that one of many readers does it shortly before all would have to wait.
 *
 * <p>Source: Vattani, Chierichetti, Lowenstein, "Optimal Probabilistic Cache Stampede Prevention", VLDB 2015 (XFetch), with
 * β = 1 and the time that the loader takes averaged over the cache. Safe for use by several threads.
 */
final class EarlyRefresh {
    /** How much of the average the newest load is: 1/8. */
    private static final int WEIGHT_SHIFT = 3;

    private final RandomGenerator random;
    private final AtomicLong averageNanos = new AtomicLong();

    public EarlyRefresh(RandomGenerator random) {
        this.random = random;
    }

    /** Learns how long a load took. */
    public void loadTook(long nanos) {
        averageNanos.updateAndGet(average -> average == 0 ? nanos : average + ((nanos - average) >> WEIGHT_SHIFT));
    }

    /** Returns whether this read is the one, this long before the entry expires. */
    public boolean isDue(long millisLeft) {
        double gapNanos = -averageNanos.get() * Math.log(1 - random.nextDouble());
        return gapNanos >= TimeUnit.MILLISECONDS.toNanos(millisLeft);
    }
}
