// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import java.util.concurrent.atomic.AtomicLong;

/** A moving average of a server's round trip, over about eight answers. Thread-safe. */
final class RoundTrip {
    private static final int WEIGHT = 8;
    private static final long NONE = Long.MAX_VALUE;

    private final AtomicLong average = new AtomicLong(NONE);

    void took(long nanos) {
        long measured = Math.max(0, nanos);
        average.updateAndGet(before -> before == NONE ? measured : before + (measured - before) / WEIGHT);
    }

    long nanos() {
        return average.get();
    }

    /** Resets it for a new connection. */
    void forget() {
        average.set(NONE);
    }
}
