// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where an id stands among those of its {@link RangeType}: 16 bytes that are compared without sign and, of a text, all of
 * them, if those are equal.
 */
final class Rank implements Comparable<Rank> {
    private static final byte[] NO_TEXT = {};

    private final long high;
    private final long low;
    private final byte[] text;

    private Rank(long high, long low, byte[] text) {
        this.high = high;
        this.low = low;
        this.text = text;
    }

    /** Returns the rank of two numbers without sign, the first of which counts more. */
    static Rank unsigned(long high, long low) {
        return new Rank(high, low, NO_TEXT);
    }

    /** Returns the rank of a number with sign, and one that counts less and is not negative. */
    static Rank signed(long high, long low) {
        return new Rank(high ^ Long.MIN_VALUE, low, NO_TEXT);
    }

    /** Returns the rank of a text in its UTF-8 form. */
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

    /** Returns the first eight bytes, as a number with sign that is less where they are. */
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
