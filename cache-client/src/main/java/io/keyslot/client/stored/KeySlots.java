// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/**
 * Maps keys to slots by one version of the map. The slot depends only on the hash tag, so a group has one slot.
 * Instances are equal if they are known to return the same for all keys.
 */
@FunctionalInterface
public interface KeySlots {
    /** All keys are hashed, without placements. */
    KeySlots HASHED = EncodedKey::slot;

    /** Returns the slot of a physical key; if it has no place and must be refused, the complement of its hash slot. */
    int placeOf(EncodedKey key);

    /**
     * Returns the slot in which a key is stored. Without a place, that is its hash slot: its data was there before it
     * lost its place, and the owner of that slot is the first to have it when it gets one.
     */
    default int slotOf(EncodedKey key) {
        int place = placeOf(key);
        return place < 0 ? ~place : place;
    }
}
