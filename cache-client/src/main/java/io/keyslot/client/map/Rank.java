// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The position of an id in the order of its {@link RangeType}: a number, then, if equal, all bytes of a text as unsigned
 * ones. The number of a text is that of its first eight bytes, in the same order.
 */
record Rank(
        long first,
        @SuppressWarnings("ArrayRecordComponent") byte[] text) implements Comparable<Rank> {
    private static final byte[] NO_TEXT = {};

    static Rank of(long number) {
        return new Rank(number, NO_TEXT);
    }

    static Rank text(byte[] utf8) {
        long eight = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            eight = eight << Byte.SIZE | (i < utf8.length ? utf8[i] & 0xff : 0);
        }
        return new Rank(eight ^ Long.MIN_VALUE, utf8);
    }

    @Override
    public int compareTo(Rank other) {
        int order = Long.compare(first, other.first);
        return order == 0 ? Arrays.compareUnsigned(text, other.text) : order;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Rank rank && compareTo(rank) == 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(first);
    }
}
