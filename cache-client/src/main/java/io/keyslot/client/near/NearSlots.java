// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.topology.Topology;
import java.util.Arrays;

/** By which version of the slot map each slot went to where it is, or began to move. Immutable. */
final class NearSlots {
    private final long version;
    private final long[] changedBy;

    private NearSlots(long version, long[] changedBy) {
        this.version = version;
        this.changedBy = changedBy;
    }

    /** Returns that no slot has ever moved. */
    static NearSlots first() {
        return new NearSlots(Long.MIN_VALUE, new long[0]);
    }

    /** Returns what is known when one topology takes the place of another. */
    NearSlots after(Topology older, Topology newer) {
        int slots = Math.max(changedBy.length, Math.max(older.slots(), newer.slots()));
        long[] next = Arrays.copyOf(changedBy, slots);
        boolean isOtherwise = !newer.layout().slots().equals(older.layout().slots()); // keys may be in other slots
        for (int slot = 0; slot < slots; slot++) {
            if (isOtherwise || !newer.keeps(slot, older)) {
                next[slot] = newer.version();
            }
        }
        return new NearSlots(newer.version(), next);
    }

    /** Returns whether a slot is where it was by that version, and has been there since. */
    boolean isStill(int slot, long asOf) {
        return asOf == version || slot >= changedBy.length || changedBy[slot] <= asOf;
    }
}
