// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.slot.SlotMap;

/** The newest slot map this process has heard of. Safe for use by any number of threads. */
public final class CurrentSlotMap {
    private volatile SlotMap newest; // written by offer only, which is synchronized

    public CurrentSlotMap(SlotMap initial) {
        newest = initial;
    }

    public SlotMap get() {
        return newest;
    }

    /** Adopts the candidate unless a map of the same or a higher version is known. Returns whether it was adopted. */
    public synchronized boolean offer(SlotMap candidate) {
        boolean isNewer = candidate.version() > newest.version();
        if (isNewer) {
            newest = candidate;
        }
        return isNewer;
    }
}
