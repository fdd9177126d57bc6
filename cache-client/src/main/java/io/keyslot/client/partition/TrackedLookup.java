// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.Lookup;

/**
 * The result of a tracked read, with the remaining lifetime, because an entry may expire without an invalidation:
 * {@link #ENDLESS} if it does not expire, {@link #UNKNOWN} if that is unknown or there is no entry.
 */
public record TrackedLookup(Lookup lookup, long millisLeft) {
    public static final long ENDLESS = Long.MAX_VALUE;
    public static final long UNKNOWN = 0;

    public static TrackedLookup passing(Lookup lookup) {
        return new TrackedLookup(lookup, UNKNOWN);
    }

    /** Returns a result with the remaining milliseconds as engines report them: -1 for no expiry, else at least 0. */
    public static TrackedLookup lasting(Lookup lookup, long millis) {
        return new TrackedLookup(lookup, millis == -1 ? ENDLESS : Math.max(UNKNOWN, millis));
    }
}
