// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.copy;

/** Receives the batches of a pass over a partition, and may wait between them. For one thread. */
public interface Pace {
    /** Starts a pass. */
    void begin();

    /** Returns whether a batch must be complete before the next one is sent. */
    boolean isOneAtATime();

    /** Called after a batch was stored or removed. May wait, or throw {@link MoveTrouble}. */
    void done(long keys, long bytes);
}
