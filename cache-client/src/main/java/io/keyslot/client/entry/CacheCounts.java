// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** What the callers of one cache in this process did so far. Safe for use by several threads. */
public interface CacheCounts {
    long hits();

    long misses();

    long puts();

    long removals();
}
