// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.hot;

import java.util.concurrent.TimeUnit;

/**
 * Of how many reads one is counted. With more counted in a second than there may be, only every other one is from then on; with less
 * than a quarter of that, twice as many. Changed by one thread at a time, and read by any number, who may see an older one.
 */
final class SampleRate {
    /** One of so many reads is counted at least. */
    static final int LEAST_ONE_IN = 1 << 14;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final int mostASecond;
    private int mask; // one less than a power of two
    private int counted; // since the second began
    private long since;

    SampleRate(int mostASecond, long now) {
        this.mostASecond = mostASecond;
        this.since = now;
    }

    /** Returns one less than of how many reads one is counted: a power of two. */
    int mask() {
        return mask;
    }

    /** One that was chosen is counted. */
    void counted(long now) {
        counted++;
        if (counted > mostASecond && mask + 1 < LEAST_ONE_IN) {
            mask = 2 * mask + 1;
            begin(now);
        } else if (now - since >= SECOND) {
            if (counted < mostASecond / 4) {
                mask = mask / 2;
            }
            begin(now);
        }
    }

    private void begin(long now) {
        counted = 0;
        since = now;
    }
}
