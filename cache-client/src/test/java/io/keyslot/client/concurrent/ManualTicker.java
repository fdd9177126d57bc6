// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;

/** A clock that stands still until it is moved. For tests on one thread. */
public final class ManualTicker implements Ticker {
    /** Near the end of the range, so that every test sees the clock wrap around. */
    private long nanos = Long.MAX_VALUE - 1_000;

    private long epochMillis = 1_000_000_000_000L;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long epochMillis() {
        return epochMillis;
    }

    /** Moves the clock without running anything. */
    public void advance(Duration duration) {
        nanos += duration.toNanos();
        epochMillis += duration.toMillis();
    }
}
