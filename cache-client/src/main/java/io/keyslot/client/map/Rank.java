// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The position of an id in the order of its {@link RangeType}: 16 bytes compared as unsigned, then, if equal, all bytes
 * of a text.
 */
record Rank(
        long high,
        long low,
        @SuppressWarnings("ArrayRecordComponent") byte[] text) implements Comparable<Rank> {
    private static final byte[] NO_TEXT = {};

    static Rank unsigned(long high, long low) {
        return new Rank(high, low, NO_TEXT);
    }

    static Rank signed(long high, long low) {
        return new Rank(high ^ Long.MIN_VALUE, low, NO_TEXT);
    }

    static Rank text(byte[] utf8) {
        return new Rank(eight(utf8, 0), eight(utf8, Long.BYTES), utf8);
    }

    private static long eight(byte[] bytes, int from) {
        long eight = 0;
        for (int i = from; i < from + Long.BYTES; i++) {
            eight = eight << Byte.SIZE | (i < bytes.length ? bytes[i] & 0xff : 0);
        }
        return eight;
    }

    /** Returns the first eight bytes as a signed number in the same order. */
    long first() {
        return high ^ Long.MIN_VALUE;
    }

    @Override
    public int compareTo(Rank other) {
        int order = Long.compareUnsigned(high, other.high);
        if (order == 0) {
            order = Long.compareUnsigned(low, other.low);
        }
        return order == 0 ? Arrays.compareUnsigned(text, other.text) : order;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Rank rank && compareTo(rank) == 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(high) * 31 + Long.hashCode(low);
    }
}
