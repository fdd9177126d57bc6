// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.near.NearEnd;

/** Receives events of near entries, on any thread, including I/O threads. Must be quick and not throw. */
public interface NearObserver {
    NearObserver NONE = new NearObserver() {
        @Override
        public void onServed(long ageNanos) {}

        @Override
        public void onEnded(NearEnd cause, long copies) {}
    };

    /**
     * Called for a random sample of hits ({@link NearCounts} has their number). {@code ageNanos} is the highest age of
     * the near entry: the partition has answered a request that was sent then.
     */
    void onServed(long ageNanos);

    /** Called when near entries were dropped. */
    void onEnded(NearEnd cause, long copies);
}
