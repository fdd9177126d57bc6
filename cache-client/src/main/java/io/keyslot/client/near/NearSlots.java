// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.routing.Topology;
import java.util.Arrays;

/** The map version by which each slot last moved or began to move. Immutable. */
final class NearSlots {
    private final long version;
    private final long since;
    private final long[] changedBy;

    private NearSlots(long version, long since, long[] changedBy) {
        this.version = version;
        this.since = since;
        this.changedBy = changedBy;
    }

    static NearSlots first() {
        return new NearSlots(Long.MIN_VALUE, Long.MIN_VALUE, new long[0]);
    }

    /** Returns the state in which any slot may have moved by this version, and none since. */
    static NearSlots from(long version) {
        return new NearSlots(version, version, new long[0]);
    }

    NearSlots after(Topology older, Topology newer) {
        if (!newer.layout().slots().equals(older.layout().slots())) {
            return from(newer.version()); // keys may be in other slots
        }
        int slots = Math.max(changedBy.length, Math.max(older.slots(), newer.slots()));
        long[] next = Arrays.copyOf(changedBy, slots);
        for (int slot = 0; slot < slots; slot++) {
            if (!newer.keeps(slot, older)) {
                next[slot] = newer.version();
            }
        }
        return new NearSlots(newer.version(), since, next);
    }

    /** Returns whether a slot has been in place since that version. */
    boolean isStill(int slot, long asOf) {
        return asOf == version || (asOf >= since && (slot >= changedBy.length || changedBy[slot] <= asOf));
    }
}
