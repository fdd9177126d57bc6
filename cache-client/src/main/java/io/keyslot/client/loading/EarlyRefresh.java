// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Decides which read of a fresh entry reloads it: the probability rises as the expiry comes closer, and with the
 * duration of loads. So one of many readers reloads it shortly before all of them would have to wait. Thread-safe.
 *
 * <p>Source: Vattani, Chierichetti, Lowenstein, "Optimal Probabilistic Cache Stampede Prevention", VLDB 2015 (XFetch),
 * with β = 1 and the average duration of the cache's loads.
 */
final class EarlyRefresh {
    /** The weight of a new load in the average: 1/8. */
    private static final int WEIGHT_SHIFT = 3;

    private final RandomGenerator random;
    private final AtomicLong averageNanos = new AtomicLong();

    public EarlyRefresh(RandomGenerator random) {
        this.random = random;
    }

    public void loadTook(long nanos) {
        averageNanos.updateAndGet(average -> average == 0 ? nanos : average + ((nanos - average) >> WEIGHT_SHIFT));
    }

    public boolean isDue(long millisLeft) {
        double gapNanos = -averageNanos.get() * Math.log(1 - random.nextDouble());
        return gapNanos >= TimeUnit.MILLISECONDS.toNanos(millisLeft);
    }
}
