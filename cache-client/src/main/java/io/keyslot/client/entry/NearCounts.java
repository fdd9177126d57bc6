// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** What a near cache counts. The first two only go up. Safe for use by several threads. */
public interface NearCounts {
    /** Returns how many reads were answered by a copy. */
    long hits();

    /** Returns how many were not. */
    long misses();

    /** Returns about how many copies there are. */
    long entries();

    /** Returns about how many bytes the copies take. */
    long bytes();
}
