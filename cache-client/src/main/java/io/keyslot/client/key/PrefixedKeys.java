// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.HashSlot;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Creates keys with a common beginning from their ids, without a text of the whole key. Immutable.
 *
 * <p>A slot is a CRC with initial value zero and without a final inversion, modulo a power of two, which makes it
 * linear: the slot of beginning and id is the slot of the beginning followed by as many zero bytes, XOR the slot of the
 * id. The first part depends only on the length of the id, and is computed once.
 */
final class PrefixedKeys {
    /** Slots of longer ids are computed each time. */
    private static final int MOST_BYTES_OF_ID = 64;

    private static final char FIRST_NOT_ASCII = 0x80;
    private static final int RADIX = 10;

    private final byte[] beginning;
    private final int hashedFrom;

    /** The slot of the beginning followed by zero bytes, by their number. */
    private final short[] slots = new short[MOST_BYTES_OF_ID + 1];

    /** Creates keys; {@code beginning} has no braces, or the one that opens the hash tag. */
    PrefixedKeys(String beginning) {
        byte[] padded = (beginning + "\0".repeat(MOST_BYTES_OF_ID)).getBytes(StandardCharsets.UTF_8);
        this.beginning = Arrays.copyOf(padded, padded.length - MOST_BYTES_OF_ID);
        this.hashedFrom = afterBrace(this.beginning);
        for (int zeros = 0; zeros <= MOST_BYTES_OF_ID; zeros++) {
            slots[zeros] = (short) HashSlot.of(padded, hashedFrom, this.beginning.length - hashedFrom + zeros);
        }
    }

    private static int afterBrace(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '{') {
                return i + 1;
            }
        }
        return 0;
    }

    /** Returns the key of an escaped id; {@code end} is empty, or the rest from the brace that closes the hash tag. */
    EncodedKey key(String id, byte[] end) {
        int length = id.length();
        byte[] bytes = room(length, end);
        for (int i = 0; i < length; i++) {
            char character = id.charAt(i);
            if (character >= FIRST_NOT_ASCII) {
                return keyOfUtf8(id.getBytes(StandardCharsets.UTF_8), end);
            }
            bytes[beginning.length + i] = (byte) character;
        }
        return key(bytes, length);
    }

    private EncodedKey keyOfUtf8(byte[] id, byte[] end) {
        byte[] bytes = room(id.length, end);
        System.arraycopy(id, 0, bytes, beginning.length, id.length);
        return key(bytes, id.length);
    }

    EncodedKey key(long id, byte[] end) {
        int length = lengthOf(id);
        byte[] bytes = room(length, end);
        int at = beginning.length + length;
        long left = id;
        do {
            bytes[--at] = (byte) ('0' + Math.abs(left % RADIX)); // the negative range is larger than the positive one
            left /= RADIX;
        } while (left != 0);
        if (id < 0) {
            bytes[--at] = '-';
        }
        return key(bytes, length);
    }

    private static int lengthOf(long number) {
        int length = number < 0 ? 2 : 1;
        for (long left = number / RADIX; left != 0; left /= RADIX) {
            length++;
        }
        return length;
    }

    private byte[] room(int idBytes, byte[] end) {
        int before = beginning.length;
        byte[] bytes = new byte[before + idBytes + end.length];
        System.arraycopy(beginning, 0, bytes, 0, before);
        System.arraycopy(end, 0, bytes, before + idBytes, end.length);
        return bytes;
    }

    private EncodedKey key(byte[] bytes, int idBytes) {
        int slot = idBytes <= MOST_BYTES_OF_ID
                ? slots[idBytes] ^ HashSlot.of(bytes, beginning.length, idBytes)
                : HashSlot.of(bytes, hashedFrom, beginning.length - hashedFrom + idBytes);
        return EncodedKey.inSlot(slot, bytes);
    }
}
