// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The hash slot of a key: CRC16 (XMODEM) of its {@linkplain #tag hash tag}, modulo {@value #COUNT}, as
 * {@code CLUSTER KEYSLOT} of a server returns it.
 *
 * @see <a
 *     href="https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#key-distribution-model">Redis
 *     Cluster specification, key distribution model</a>
 */
public final class HashSlot {
    /** The number of hash slots. */
    public static final int COUNT = 16384;

    private static final int POLYNOMIAL = 0x1021;
    private static final short[] TABLE = table();

    private HashSlot() {}

    /** Returns the slot of the key's UTF-8 form. */
    public static int of(String key) {
        return of(key.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the slot of the key, from 0 to {@value #COUNT} - 1. */
    public static int of(byte[] key) {
        return of(key, 0, key.length);
    }

    /** Returns the slot of the remaining bytes of the buffer, without changing its position. */
    public static int of(ByteBuffer key) {
        byte[] bytes = new byte[key.remaining()];
        key.duplicate().get(bytes);
        return of(bytes);
    }

    /** Returns the slot of {@code length} bytes that start at {@code offset}. */
    public static int of(byte[] key, int offset, int length) {
        int end = offset + length;
        int open = indexOf((byte) '{', key, offset, end);
        int close = open < 0 ? -1 : indexOf((byte) '}', key, open + 1, end);
        return close > open + 1 ? crc16(key, open + 1, close) % COUNT : crc16(key, offset, end) % COUNT;
    }

    /**
     * Returns the hash tag, the part of the key that decides its slot: the text between the first <code>{</code> and
     * the first <code>}</code> after it, if that is not empty; otherwise the whole key.
     */
    public static String tag(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open + 1);
        return close > open + 1 ? key.substring(open + 1, close) : key;
    }

    private static int indexOf(byte wanted, byte[] key, int from, int end) {
        for (int i = from; i < end; i++) {
            if (key[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static int crc16(byte[] bytes, int from, int end) {
        int crc = 0;
        for (int i = from; i < end; i++) {
            crc = ((crc << 8) ^ TABLE[((crc >>> 8) ^ bytes[i]) & 0xff]) & 0xffff;
        }
        return crc;
    }

    private static short[] table() {
        short[] table = new short[256];
        for (int value = 0; value < table.length; value++) {
            int crc = value << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
            }
            table[value] = (short) crc;
        }
        return table;
    }
}
