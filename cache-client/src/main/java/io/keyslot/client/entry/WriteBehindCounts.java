// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** What a queue of changes holds, and what it did so far. Safe for use by several threads. */
public interface WriteBehindCounts {
    /** Returns for how many keys changes wait or are being made. */
    int queued();

    /** Returns how many changes were written; of those of a key that waited together, the last one. */
    long written();

    /** Returns how many times a change could not be written and was kept for another attempt. */
    long retried();

    /** Returns how many changes were given up: they are lost. */
    long dropped();
}
