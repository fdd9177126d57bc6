// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.stored.EncodedKey;

/**
 * The keys under which an instance has the fences of slots that are on their way, for one namespace. They are no entries, and
 * belong to no slot: no scan shows them, and nothing of the application is stored there. Pure.
 *
 * @param namespace empty for none
 */
public record FenceKeys(String namespace) {
    private static final String FENCE = "keyslot:fence:";
    private static final String DIRTY = "keyslot:dirty:";
    private static final String NOTE = "keyslot:move:";

    /**
     * Returns the key of the fences: a hash, with the slot as field. A value has the letter of the state, the name of the move, the
     * number of the ownership and a version of the slot map: {@code M m7 3 0}. The field {@code coordinator} has the highest
     * number of who has set one.
     */
    public EncodedKey fence() {
        return EncodedKey.of(FENCE + namespace);
    }

    /**
     * Returns the key of what was written in a slot since it has the state {@code M}: a set of keys. The empty one is always among
     * them: without it something was lost.
     */
    public EncodedKey dirty(int slot) {
        return EncodedKey.of(DIRTY + namespace + ":" + slot);
    }

    /** Returns the key of how far the move is that the instance has part in: a text. */
    public EncodedKey note() {
        return EncodedKey.of(NOTE + namespace);
    }

    /** Returns whether a key is one of these, of whatever namespace. */
    public static boolean isOne(EncodedKey key) {
        String text = key.text();
        return text.startsWith(FENCE) || text.startsWith(DIRTY) || text.startsWith(NOTE);
    }
}
