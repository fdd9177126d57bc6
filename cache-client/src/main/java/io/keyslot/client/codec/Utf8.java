// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * UTF-8 that encodes an unpaired surrogate, which has no UTF-8 form, as three bytes, like any other character of its
 * range. Decoding restores every string; well-formed text is plain UTF-8.
 */
final class Utf8 {
    private static final char REPLACEMENT = '\uFFFD';
    /** The first byte of characters from U+D000, whose upper half are surrogates. */
    private static final byte SURROGATE = (byte) 0xED;

    private static final char LAST_IN_ONE_BYTE = 0xFF;
    private static final long EIGHT_UPPER_BITS = 0x8080808080808080L;
    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private Utf8() {}

    static byte[] encode(String text) {
        return hasUnpairedSurrogate(text) ? encodeAnyway(text) : text.getBytes(StandardCharsets.UTF_8);
    }

    /** Copies a text of ASCII characters into the array; if it has others, returns false after changing the array. */
    @SuppressWarnings("deprecation") // It drops the upper half of characters, which is zero here.
    static boolean copyAscii(String text, byte[] into, int offset) {
        int length = text.length();
        // The JIT compiler removes this loop for a string that the JDK stores as Latin-1.
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

    /** Decodes bytes; ASCII is copied once, into the string. Throws {@link IllegalArgumentException}. */
    static String decode(byte[] bytes, int offset, int length) {
        String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
        // The JDK replaces malformed input by this character, which the text may also contain: check closely.
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
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(Math.multiplyExact(text.length(), 3));
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPair(text, i)) {
                i++;
            } else if (Character.isSurrogate(c)) {
                bytes.writeBytes(text.substring(start, i).getBytes(StandardCharsets.UTF_8));
                bytes.write(0xE0 | (c >> 12));
                bytes.write(0x80 | ((c >> 6) & 0x3F));
                bytes.write(0x80 | (c & 0x3F));
                start = i + 1;
            }
        }
        bytes.writeBytes(text.substring(start).getBytes(StandardCharsets.UTF_8));
        return bytes.toByteArray();
    }

    private static String decodeStrictly(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length);
        int start = 0;
        for (int i = 0; i + 2 < bytes.length; i++) {
            if (bytes[i] == SURROGATE && (bytes[i + 1] & 0xE0) == 0xA0) {
                text.append(new String(bytes, start, i - start, StandardCharsets.UTF_8));
                text.append((char) (0xD000 | ((bytes[i + 1] & 0x3F) << 6) | (bytes[i + 2] & 0x3F)));
                start = i + 3;
                i += 2;
            }
        }
        String result = text.append(new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8))
                .toString();
        // Refuses malformed input, overlong forms, and pairs of surrogates written as two characters.
        if (!Arrays.equals(encode(result), bytes)) {
            throw new IllegalArgumentException("The bytes are not UTF-8");
        }
        return result;
    }
}
