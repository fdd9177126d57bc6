// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.HashSlot;
import java.nio.charset.StandardCharsets;

/**
 * Keys without a hash tag that begin alike. Immutable.
 *
 * <p>A slot is a CRC that begins with zero and is not inverted at the end, modulo a power of two. Such a function is linear:
 * the slot of a prefix and an id is the slot of the prefix and as many zero bytes, XOR the slot of the id. The first half
 * depends on the length of the id only, and is computed once.
 */
final class PrefixedKeys {
    /** Slots of longer ids are computed anew each time. */
    private static final int MOST_BYTES_OF_ID = 64;

    private final String prefix;
    private final int prefixBytes;

    /** The slot of the prefix and so many zero bytes, by their number. */
    private final short[] slots = new short[MOST_BYTES_OF_ID + 1];

    /** @param prefix without braces */
    PrefixedKeys(String prefix) {
        this.prefix = prefix;
        byte[] padded = (prefix + "\0".repeat(MOST_BYTES_OF_ID)).getBytes(StandardCharsets.UTF_8);
        this.prefixBytes = padded.length - MOST_BYTES_OF_ID;
        for (int zeros = 0; zeros <= MOST_BYTES_OF_ID; zeros++) {
            slots[zeros] = (short) HashSlot.of(padded, 0, prefixBytes + zeros);
        }
    }

    /** Returns the key of an escaped id, which has no braces. */
    EncodedKey key(String id) {
        byte[] bytes = (prefix + id).getBytes(StandardCharsets.UTF_8);
        int idBytes = bytes.length - prefixBytes;
        return idBytes <= MOST_BYTES_OF_ID
                ? EncodedKey.inSlot(slots[idBytes] ^ HashSlot.of(bytes, prefixBytes, idBytes), bytes)
                : new EncodedKey(bytes);
    }
}
