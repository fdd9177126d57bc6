// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An id in the bytes of a key, which must not change any more. Created for each look-up. */
public record IdText(
        @SuppressWarnings("ArrayRecordComponent") byte[] bytes, int begin, int end) {
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle FOUR = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MIXER = 0x9E37_79B9_7F4A_7C15L; // odd, half of its bits set

    public static IdText of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new IdText(bytes, 0, bytes.length);
    }

    /** Returns the text before the first comma, the first item of a composite id; the same object if there is none. */
    public IdText firstItem() {
        for (int i = begin; i < end; i++) {
            if (bytes[i] == ',') {
                return new IdText(bytes, begin, i);
            }
        }
        return this;
    }

    public int length() {
        return end - begin;
    }

    boolean hasAt(int index, char wanted) {
        return index < length() && bytes[begin + index] == wanted;
    }

    /** Returns the number in these decimal digits, at most 18; -1 if there is any other character. */
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

    boolean isAt(byte[] others, int from) {
        return Arrays.equals(bytes, begin, end, others, from, from + length());
    }

    /**
     * Returns a hash code. It processes eight bytes per step, because steps for single bytes each wait for the one
     * before, which would take longer than the rest of a look-up.
     */
    int hash() {
        int length = length();
        long hash = length;
        if (length >= Long.BYTES) {
            for (int i = begin; i < end - Long.BYTES; i += Long.BYTES) {
                hash = Long.rotateLeft((hash ^ eight(i)) * MIXER, Integer.SIZE);
            }
            hash ^= eight(end - Long.BYTES); // may overlap the step before
        } else if (length >= Integer.BYTES) {
            hash ^= (long) four(begin) << Integer.SIZE ^ four(end - Integer.BYTES);
        } else {
            for (int i = begin; i < end; i++) {
                hash = hash << Byte.SIZE ^ bytes[i];
            }
        }
        return mixed(hash);
    }

    /** Ids differ in few characters at any position, so each bit must affect the bits that select the table place. */
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
