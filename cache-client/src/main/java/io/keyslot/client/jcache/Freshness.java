// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.time.Duration;

/**
 * The freshness of an entry and the claim of a process to reload it, in milliseconds since 1970; 0 for none. 8 bytes of
 * an envelope encode both: a positive number is the end of the freshness. The absolute value of a negative number has
 * that end in its upper 43 bits, and in its lower 20 bits the seconds from there to the end of the claim. So a claim on
 * an entry that has been stale for more than twelve days is over at once.
 */
record Freshness(long until, long claimedUntil) {
    private static final int CLAIM_BITS = 20;
    private static final long MOST_CLAIM_SECONDS = (1L << CLAIM_BITS) - 1;
    private static final long SECOND_MILLIS = Duration.ofSeconds(1).toMillis();

    static Freshness of(long stored) {
        if (stored >= 0) {
            return new Freshness(stored, 0);
        }
        long until = -stored >>> CLAIM_BITS;
        return new Freshness(until, until + (-stored & MOST_CLAIM_SECONDS) * SECOND_MILLIS);
    }

    /** Encodes a stale, claimed entry. The claim is rounded up to whole seconds. */
    static long claimed(long until, long claimedUntil) {
        long seconds = Math.max(0, (claimedUntil - until + SECOND_MILLIS - 1) / SECOND_MILLIS);
        return -((until << CLAIM_BITS) | Math.min(seconds, MOST_CLAIM_SECONDS));
    }
}
