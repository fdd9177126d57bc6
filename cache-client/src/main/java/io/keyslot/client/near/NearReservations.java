// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.near.NearEnd;
import io.keyslot.client.entry.LocalKeys;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.stored.EncodedKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Access to the near entries of one near cache by stored keys. Thread-safe. */
record NearReservations(LocalKeys<?> keys, NearEntries copies, TrackedConnections links, PartitionRouter router) {
    /** Reserves the place of an entry before it is read; null if its invalidations would not be received. */
    NearChannel.@Nullable Reserved reserve(EncodedKey key) {
        Topology now =
                router.topology(); // before the link: if the slot moves between the two, it was here by this version
        Topology.Place owner = now.placeOf(key);
        if (owner == null || owner.partition() == null || owner.route().isFenced()) {
            return null;
        }
        TrackedConnection link = links.of(owner.partition());
        Object place = link == null ? null : keys.ofStored(key);
        if (link == null || place == null) {
            return null;
        }
        NearReservation reservation = copies.reserve(place, new NearReservation(link, now.slotOf(key), now.version()));
        return reservation == null ? null : new NearChannel.Reserved(key, place, reservation);
    }

    /** Takes note of an answer, and keeps what was found if its reservation is still there. */
    void answered(NearChannel.Reserved reserved, long sentAt, TrackedLookup found) {
        NearReservation reservation = reserved.reservation();
        // The reply came over this connection: while it is alive there was no other one, and while the slot has not
        // moved, no other partition was asked for it.
        if (reservation.link().isAlive() && links.slots().isStill(reservation.slot(), reservation.version())) {
            if (!links.isOfCluster()) {
                reservation.link().confirm(sentAt);
            }
            copies.fill(reserved.place(), reservation, sentAt, found);
        } else {
            release(reserved);
        }
    }

    void release(NearChannel.Reserved reserved) {
        copies.release(reserved.place(), reserved.reservation());
    }

    void kill(List<EncodedKey> stored, NearEnd cause) {
        for (EncodedKey key : stored) {
            Object place = keys.ofStored(key);
            if (place != null) {
                copies.kill(place, cause);
            }
        }
    }

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
}
