// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import org.jspecify.annotations.Nullable;

/**
 * A reservation for a near entry that is being read over a connection. Changes and invalidations remove it; so as long
 * as it exists, a value read after it was made is the newest. The version is that of the slot map.
 */
record NearReservation(TrackedConnection link, int slot, long version) {
    /** Compared by identity: only the read that made it may fill it. */
    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    /** Returns whether a read for the other reservation could be stored here as well. */
    boolean isFor(NearReservation other) {
        return link.equals(other.link) && slot == other.slot && version == other.version;
    }
}
