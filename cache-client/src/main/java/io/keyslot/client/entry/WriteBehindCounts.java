// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** The counts of a write-behind queue. Thread-safe. */
public interface WriteBehindCounts {
    /** Returns the number of keys with changes that are waiting or being written. */
    int queued();

    /** Returns the number of written changes; changes of one key that waited together count as one. */
    long written();

    /** Returns how often a failed change was kept for another attempt. */
    long retried();

    /** Returns the number of changes that were given up and are lost. */
    long dropped();
}
