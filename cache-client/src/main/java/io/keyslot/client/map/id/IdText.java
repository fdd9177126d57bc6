// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map.id;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The text of an id where it stands in the bytes of a key, which must not be changed any more. It is made for each look-up, and
 * goes with it.
 */
public final class IdText {
    private final byte[] bytes;
    private final int begin;
    private final int end;

    private IdText(byte[] bytes, int begin, int end) {
        this.bytes = bytes;
        this.begin = begin;
        this.end = end;
    }

    /** Returns the text between two places of these bytes, the second of which is not part of it. */
    public static IdText in(byte[] bytes, int begin, int end) {
        return new IdText(bytes, begin, end);
    }

    /** Returns an id by its text. */
    public static IdText of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new IdText(bytes, 0, bytes.length);
    }

    /** Returns what is before the first comma: the first item of a composite id. The same if there is none. */
    public IdText firstItem() {
        for (int i = begin; i < end; i++) {
            if (bytes[i] == ',') {
                return new IdText(bytes, begin, i);
            }
        }
        return this;
    }

    /** Returns the number of bytes. */
    public int length() {
        return end - begin;
    }

    /** Returns whether a character of ASCII is at a place, counted from 0. */
    boolean hasAt(int index, char wanted) {
        return index < length() && bytes[begin + index] == wanted;
    }

    /** Returns the number of the decimal digits from one place to another, at most 18 of them; -1 if there is anything else. */
    long digits(int from, int to) {
        long number = 0;
        for (int i = begin + from; i < begin + to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** Returns whether these bytes are the text, from a place of theirs on. */
    boolean isAt(byte[] others, int from) {
        return Arrays.equals(bytes, begin, end, others, from, from + length());
    }

    /** Returns a number that is the same for the same text, and most often another one for another. */
    int hash() {
        int hash = 0;
        for (int i = begin; i < end; i++) {
            hash = 31 * hash + bytes[i];
        }
        hash *= 0x9E3779B9; // ids differ in their last characters, and those must reach all bits
        return hash ^ hash >>> 15;
    }

    byte[] utf8() {
        return Arrays.copyOfRange(bytes, begin, end);
    }

    @Override
    public String toString() {
        return new String(bytes, begin, length(), StandardCharsets.UTF_8);
    }
}
