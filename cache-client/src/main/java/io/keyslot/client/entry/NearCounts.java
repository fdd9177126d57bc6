// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** The counts of a near cache. Hits and misses never decrease. Thread-safe. */
public interface NearCounts {
    long hits();

    long misses();

    /** Returns the approximate number of near entries. */
    long entries();

    /** Returns the approximate size of the near entries in bytes. */
    long bytes();
}
