// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import java.util.concurrent.atomic.AtomicLong;

/** How long a server takes to answer, on a moving average of about the last eight answers. Safe for use by several threads. */
final class RoundTrip {
    private static final int WEIGHT = 8;
    private static final long NONE = Long.MAX_VALUE;

    private final AtomicLong average = new AtomicLong(NONE);

    /** Notes how long an answer took. */
    void took(long nanos) {
        long measured = Math.max(0, nanos);
        average.updateAndGet(before -> before == NONE ? measured : before + (measured - before) / WEIGHT);
    }

    /** Returns the average; {@link Long#MAX_VALUE} before the first answer. */
    long nanos() {
        return average.get();
    }

    /** Forgets it: there is another connection. */
    void forget() {
        average.set(NONE);
    }
}
