// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/**
 * Which slot each key is in, by one map. It depends on nothing but what is hashed of the key, so all keys of a group are in one
 * slot. Equal if it says the same of all keys, as far as that can be known.
 */
@FunctionalInterface
public interface KeySlots {
    /** All keys are hashed: no placement names any. */
    KeySlots HASHED = EncodedKey::slot;

    /**
     * Returns the slot of a key; if it has no place, and is to be refused, the complement of its hash slot, which is negative.
     *
     * @param key any physical key with the hash tag
     */
    int placeOf(EncodedKey key);

    /**
     * Returns the slot in which a key is stored. One without a place is in its hash slot: that is where it was before it lost its
     * place, and who owns that slot is the first to have it when it gets one.
     */
    default int slotOf(EncodedKey key) {
        int place = placeOf(key);
        return place < 0 ? ~place : place;
    }
}
