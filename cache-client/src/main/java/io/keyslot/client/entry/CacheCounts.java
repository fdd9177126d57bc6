// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** The operations of one cache in this process so far. Thread-safe. */
public interface CacheCounts {
    long hits();

    long misses();

    long puts();

    long removals();
}
