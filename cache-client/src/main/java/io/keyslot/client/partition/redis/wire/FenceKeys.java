// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.stored.EncodedKey;

/** The keys of a namespace's fences at an instance. They are no entries, and hidden from scans. Free of I/O. */
public record FenceKeys(String namespace) {
    private static final String FENCE = "keyslot:fence:";
    private static final String DIRTY = "keyslot:dirty:";
    private static final String NOTE = "keyslot:move:";

    /**
     * Returns the key of the fences: a hash with slots as fields. A value consists of the state's letter, the name of
     * the move, the number of the ownership, and a version of the slot map: {@code M m7 3 0}. The field
     * {@code coordinator} holds the highest number of a coordinator that has set a fence.
     */
    public EncodedKey fence() {
        return EncodedKey.of(FENCE + namespace);
    }

    /** Returns the key of the set of keys written in state {@code M}. Without its empty key, the set was lost. */
    public EncodedKey dirty(int slot) {
        return EncodedKey.of(DIRTY + namespace + ":" + slot);
    }

    /** Returns the key of the text on the progress of a move. */
    public EncodedKey note() {
        return EncodedKey.of(NOTE + namespace);
    }

    public static boolean isOne(EncodedKey key) {
        String text = key.text();
        return text.startsWith(FENCE) || text.startsWith(DIRTY) || text.startsWith(NOTE);
    }
}
