// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.copy;

/** What a pass over a partition tells of its batches, and what it waits for between them. For one thread. */
public interface Pace {
    /** A pass begins. */
    void begin();

    /** Returns whether a batch is to be answered before the next one is sent. */
    boolean isOneAtATime();

    /** A batch was stored or removed; may wait before the next one. Whoever looks may throw {@link MoveTrouble}. */
    void done(long keys, long bytes);
}
