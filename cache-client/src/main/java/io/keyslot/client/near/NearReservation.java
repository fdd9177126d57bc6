// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import org.jspecify.annotations.Nullable;

/**
 * The place of a copy that is about to be read. Whoever changes the entry, or hears of a change, takes it away; so what was read
 * after it was made is the newest, as long as it is there.
 *
 * @param link over which the reply will come, if it is still alive then
 * @param slot where the entry was
 * @param version of the slot map
 */
record NearReservation(TrackedConnection link, int slot, long version) {
    /** Two are never the same: who made one may fill it. */
    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    /** Returns whether what would be read for another one could be kept here as well. */
    boolean isFor(NearReservation other) {
        return link.equals(other.link) && slot == other.slot && version == other.version;
    }
}
