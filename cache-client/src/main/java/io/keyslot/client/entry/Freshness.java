// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import java.time.Duration;

/**
 * Until when an entry is fresh, and until when a process has claimed to load it again after that. Both are in the 8 bytes
 * that an envelope has for the end of the freshness: a positive number is that end; a negative one is, without its sign,
 * the end in its upper 43 bits and how many seconds after it the claim ends in its lower 20. A claim on what has been stale
 * for more than twelve days is over at once.
 *
 * @param until in milliseconds since 1970; 0 for as long as the entry is there
 * @param claimedUntil in milliseconds since 1970; 0 if nobody has claimed it
 */
record Freshness(long until, long claimedUntil) {
    private static final int CLAIM_BITS = 20;
    private static final long MOST_CLAIM_SECONDS = (1L << CLAIM_BITS) - 1;
    private static final long SECOND_MILLIS = Duration.ofSeconds(1).toMillis();

    /** Returns what an envelope says. */
    public static Freshness of(long stored) {
        if (stored >= 0) {
            return new Freshness(stored, 0);
        }
        long until = -stored >>> CLAIM_BITS;
        return new Freshness(until, until + (-stored & MOST_CLAIM_SECONDS) * SECOND_MILLIS);
    }

    /** Returns what an envelope is to say of an entry that is stale and claimed; the claim may be a second longer. */
    public static long claimed(long until, long claimedUntil) {
        long seconds = Math.max(0, (claimedUntil - until + SECOND_MILLIS - 1) / SECOND_MILLIS);
        return -((until << CLAIM_BITS) | Math.min(seconds, MOST_CLAIM_SECONDS));
    }
}
