// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.Lookup;

/**
 * What a tracked read has found, and for how long that is so if nobody changes it: an entry may expire without a word.
 *
 * @param millisLeft how long the entry is there; {@link #ENDLESS} if it does not expire, {@link #UNKNOWN} if there is none or it is
 *     not known
 */
public record TrackedLookup(Lookup lookup, long millisLeft) {
    public static final long ENDLESS = Long.MAX_VALUE;
    public static final long UNKNOWN = 0;

    /** Returns that nothing is known of how long it is so. */
    public static TrackedLookup passing(Lookup lookup) {
        return new TrackedLookup(lookup, UNKNOWN);
    }

    /** Returns what was found, with the milliseconds that are left as engines know them: -1 without an end, else none below 0. */
    public static TrackedLookup lasting(Lookup lookup, long millis) {
        return new TrackedLookup(lookup, millis == -1 ? ENDLESS : Math.max(UNKNOWN, millis));
    }
}
