// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * UTF-8 in which an unpaired surrogate, which has no UTF-8 form, is written as three bytes, like any other character of
 * its range. Every string comes back as it was; well-formed text is plain UTF-8.
 */
public final class Utf8 {
    private static final char REPLACEMENT = '\uFFFD';
    private static final char LAST_IN_ONE_BYTE = 0xFF;
    private static final long EIGHT_UPPER_BITS = 0x8080808080808080L;
    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private Utf8() {}

    public static byte[] encode(String text) {
        return hasUnpairedSurrogate(text) ? encodeAnyway(text) : text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Copies a text of ASCII characters, which are one byte each, to this place in the array. Returns false if it has
     * others; the array may then have been changed there.
     */
    @SuppressWarnings("deprecation") // It drops the upper half of characters, of which there is none here.
    public static boolean copyAscii(String text, byte[] into, int offset) {
        int length = text.length();
        // No step of this loop is made for a string that the JDK keeps as bytes: its compiler knows the answer.
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) > LAST_IN_ONE_BYTE) {
                return false;
            }
        }
        text.getBytes(0, length, into, offset);
        return isAscii(into, offset, offset + length);
    }

    private static boolean isAscii(byte[] bytes, int from, int to) {
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            if (((long) EIGHT_BYTES.get(bytes, i) & EIGHT_UPPER_BITS) != 0) {
                return false;
            }
        }
        for (; i < to; i++) {
            if (bytes[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Reads some bytes of the array. ASCII is copied once, into the string.
     *
     * @throws IllegalArgumentException if they are not such a text
     */
    public static String decode(byte[] bytes, int offset, int length) {
        String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
        // The JDK puts this character where it found no UTF-8; then, and if the text really contains it, look closely.
        return text.indexOf(REPLACEMENT) < 0
                ? text
                : decodeStrictly(Arrays.copyOfRange(bytes, offset, offset + length));
    }

    private static boolean hasUnpairedSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (!isPair(text, i)) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    private static boolean isPair(CharSequence text, int index) {
        return Character.isHighSurrogate(text.charAt(index))
                && index + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(index + 1));
    }

    private static byte[] encodeAnyway(String text) {
        byte[] bytes = new byte[Math.multiplyExact(text.length(), 3)];
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i)) && !isPair(text, i)) {
                char c = text.charAt(i);
                bytes[length++] = (byte) (0xE0 | (c >> 12));
                bytes[length++] = (byte) (0x80 | ((c >> 6) & 0x3F));
                bytes[length++] = (byte) (0x80 | (c & 0x3F));
            } else {
                int end = i + Character.charCount(text.codePointAt(i));
                byte[] character = text.substring(i, end).getBytes(StandardCharsets.UTF_8);
                System.arraycopy(character, 0, bytes, length, character.length);
                length += character.length;
                i = end - 1;
            }
        }
        return Arrays.copyOf(bytes, length);
    }

    private static String decodeStrictly(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length);
        int i = 0;
        while (i < bytes.length) {
            int length = sequenceLength(bytes[i] & 0xFF);
            if (length == 0 || i + length > bytes.length) {
                throw notText();
            }
            text.appendCodePoint(codePoint(bytes, i, length));
            i += length;
        }
        String result = text.toString();
        // Overlong forms, and pairs written as two characters, are second spellings of a text that has one already.
        if (!Arrays.equals(encode(result), bytes)) {
            throw notText();
        }
        return result;
    }

    private static int sequenceLength(int first) {
        if (first < 0x80) {
            return 1;
        }
        if (first < 0xC2 || first > 0xF4) {
            return 0;
        }
        return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    }

    private static int codePoint(byte[] bytes, int from, int length) {
        int point = length == 1 ? bytes[from] : bytes[from] & (0xFF >> (length + 1));
        for (int i = from + 1; i < from + length; i++) {
            if ((bytes[i] & 0xC0) != 0x80) {
                throw notText();
            }
            point = (point << 6) | (bytes[i] & 0x3F);
        }
        if (!Character.isValidCodePoint(point)) {
            throw notText();
        }
        return point;
    }

    private static IllegalArgumentException notText() {
        return new IllegalArgumentException("The bytes are not UTF-8");
    }
}
