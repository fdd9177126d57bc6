// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.near.NearEnd;
import io.keyslot.client.entry.LocalKeys;
import io.keyslot.client.partition.TrackedLookup;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Place;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.stored.EncodedKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Access to the near entries of one near cache by stored keys. Thread-safe. */
final class NearReservations {
    private final LocalKeys<?> keys;
    private final NearEntries copies;
    private final TrackedConnections links;
    private final PartitionRouter router;

    NearReservations(LocalKeys<?> keys, NearEntries copies, TrackedConnections links, PartitionRouter router) {
        this.keys = keys;
        this.copies = copies;
        this.links = links;
        this.router = router;
    }

    NearEntries copies() {
        return copies;
    }

    /** Reserves a key for a read; null if the result must not be kept because its changes would not be reported. */
    NearReads.@Nullable Reserved reserve(EncodedKey key) {
        Topology now = router.topology(); // before the link: a move in between is then noticed by the version
        Place owner = now.placeOf(key);
        if (owner == null || owner.partition() == null || owner.route().isFenced()) {
            return null;
        }
        TrackedConnection link = links.of(owner.partition());
        Object place = link == null ? null : keys.ofStored(key);
        if (link == null || place == null) {
            return null;
        }
        NearReservation reservation = copies.reserve(place, new NearReservation(link, now.slotOf(key), now.version()));
        return reservation == null ? null : new NearReads.Reserved(key, place, reservation);
    }

    void answered(NearReads.Reserved reserved, long sentAt, TrackedLookup found) {
        NearReservation reservation = reserved.reservation();
        // The reply came over this connection: while it is alive there was no other one, and while the slot has not
        // moved, no other partition was asked for it.
        if (reservation.link().isAlive() && links.slots().isStill(reservation.slot(), reservation.version())) {
            reservation.link().heard(sentAt);
            copies.fill(reserved.place(), reservation, sentAt, found);
        } else {
            release(reserved);
        }
    }

    void release(NearReads.Reserved reserved) {
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
}
