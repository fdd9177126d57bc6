// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Escapes the text of entity types and ids, so that no string of an application can look like a hash tag, a separator
 * or a control sequence. Reversible: {@code unescape(escape(s))} is {@code s} for every string.
 *
 * <p>Escaped are <code>% { }</code> and control characters, as the percent-encoded bytes of their UTF-8 form, and
 * unpaired surrogates, which have no UTF-8 form, as {@code %uXXXX}. Types also escape {@code :} and {@code /}.
 */
public final class KeyText {
    private static final String RESERVED_IN_IDS = "%{}";
    private static final String RESERVED_IN_TYPES = RESERVED_IN_IDS + ":/";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private KeyText() {}

    /** Returns the text of an id. */
    public static String escapeId(String id) {
        return isPlainAscii(id) ? id : escape(id, RESERVED_IN_IDS);
    }

    /** Returns the text of an entity type. */
    public static String escapeType(String type) {
        return escape(type, RESERVED_IN_TYPES);
    }

    /** Returns the text of an id in which further characters are escaped. */
    public static String escapeId(String id, String alsoReserved) {
        return alsoReserved.isEmpty() ? escapeId(id) : escape(id, RESERVED_IN_IDS + alsoReserved);
    }

    /** A fast check, which most ids pass. */
    private static boolean isPlainAscii(String id) {
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (c < ' ' || c > 'z' || c == '%') { // braces and all non-ASCII characters are above z
                return false;
            }
        }
        return true;
    }

    private static String escape(String raw, String reserved) {
        int first = 0;
        while (first < raw.length() && isPlain(raw, first, reserved)) {
            first++;
        }
        if (first == raw.length()) {
            return raw;
        }
        StringBuilder text = new StringBuilder(raw.length() + 8).append(raw, 0, first);
        for (int i = first; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (isPlain(raw, i, reserved)) {
                text.append(c);
            } else if (Character.isSurrogate(c)) {
                text.append("%u").append(HEX.toHexDigits(c));
            } else {
                for (byte b : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
                    text.append('%').append(HEX.toHexDigits(b));
                }
            }
        }
        return text.toString();
    }

    private static boolean isPlain(String raw, int index, String reserved) {
        char c = raw.charAt(index);
        if (Character.isHighSurrogate(c)) {
            return index + 1 < raw.length() && Character.isLowSurrogate(raw.charAt(index + 1));
        }
        if (Character.isLowSurrogate(c)) {
            return index > 0 && Character.isHighSurrogate(raw.charAt(index - 1));
        }
        return !Character.isISOControl(c) && reserved.indexOf(c) < 0;
    }

    /**
     * Returns the string with this escaped form.
     *
     * @throws IllegalArgumentException if the text has an escape that is incomplete, not hexadecimal or not UTF-8
     */
    public static String unescape(String text) {
        int percent = text.indexOf('%');
        if (percent < 0) {
            return text;
        }
        StringBuilder raw = new StringBuilder(text.length()).append(text, 0, percent);
        int i = percent;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c != '%') {
                raw.append(c);
                i++;
            } else if (text.startsWith("%u", i)) {
                raw.append((char) hexadecimal(text, i + 2, 4));
                i += 6;
            } else {
                int first = escapedByte(text, i);
                i += 3;
                if (first < 0x80) {
                    raw.append((char) first);
                } else {
                    raw.append(twoByteCharacter(first, escapedByte(text, i)));
                    i += 3;
                }
            }
        }
        return raw.toString();
    }

    private static int escapedByte(String text, int at) {
        if (!text.startsWith("%", at)) {
            throw new IllegalArgumentException("Escaped text ends within a character, at character " + at);
        }
        return hexadecimal(text, at + 1, 2);
    }

    /** Decodes two bytes of UTF-8; no escaped character is longer. */
    private static char twoByteCharacter(int first, int second) {
        if (first < 0xc2 || first > 0xdf || (second & 0xc0) != 0x80) {
            throw new IllegalArgumentException("Escaped text has bytes that are not the UTF-8 form of a character");
        }
        return (char) ((first & 0x1f) << 6 | (second & 0x3f));
    }

    private static int hexadecimal(String text, int from, int digits) {
        if (from + digits > text.length()) {
            throw new IllegalArgumentException("Escaped text ends within an escape, at character " + from);
        }
        try {
            return HexFormat.fromHexDigits(text, from, from + digits);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Escaped text has no hexadecimal digits at character " + from, e);
        }
    }
}
