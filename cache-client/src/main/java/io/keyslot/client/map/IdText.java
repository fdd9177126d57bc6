// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The text of an id where it stands in the bytes of a key, which must not be changed any more. It is made for each look-up, and
 * goes with it.
 */
public final class IdText {
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle FOUR = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MIXER = 0x9E37_79B9_7F4A_7C15L; // odd, half of its bits set

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

    /**
     * Returns a number that is the same for the same text, and most often another one for another. Eight bytes are one step: of steps
     * for single bytes each would wait for the one before, which takes longer than all else that is done with a short id.
     */
    int hash() {
        int length = length();
        long hash = length;
        if (length >= Long.BYTES) {
            for (int i = begin; i < end - Long.BYTES; i += Long.BYTES) {
                hash = Long.rotateLeft((hash ^ eight(i)) * MIXER, Integer.SIZE);
            }
            hash ^= eight(end - Long.BYTES); // of which some may have been in the step before
        } else if (length >= Integer.BYTES) {
            hash ^= (long) four(begin) << Integer.SIZE ^ four(end - Integer.BYTES);
        } else {
            for (int i = begin; i < end; i++) {
                hash = hash << Byte.SIZE ^ bytes[i];
            }
        }
        return mixed(hash);
    }

    /** Ids differ in few characters, wherever these are: each bit must reach those that say where to look. */
    private static int mixed(long bits) {
        long once = (bits ^ bits >>> Integer.SIZE) * MIXER;
        long twice = (once ^ once >>> Integer.SIZE) * MIXER;
        return (int) (twice >>> Integer.SIZE);
    }

    private long eight(int from) {
        return (long) EIGHT.get(bytes, from);
    }

    private int four(int from) {
        return (int) FOUR.get(bytes, from);
    }

    byte[] utf8() {
        return Arrays.copyOfRange(bytes, begin, end);
    }

    @Override
    public String toString() {
        return new String(bytes, begin, length(), StandardCharsets.UTF_8);
    }
}
