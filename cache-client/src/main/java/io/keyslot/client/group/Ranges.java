// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

/** Checks of ranges, as {@code java.util} has them. */
final class Ranges {
    private Ranges() {}

    /**
     * Checks a range of indexes, the last one exclusive; returns whether there is anything in it.
     *
     * @throws IndexOutOfBoundsException if it begins before 0
     * @throws IllegalArgumentException if it ends before it begins
     */
    static boolean isAny(Aggregate aggregate, int from, int to) {
        if (from < 0) {
            throw new IndexOutOfBoundsException(
                    "%s: a range begins at %d, must begin at 0 or later".formatted(aggregate.title(), from));
        }
        if (to < from) {
            throw new IllegalArgumentException("%s: a range is from %d to %d, must not end before it begins"
                    .formatted(aggregate.title(), from, to));
        }
        return from < to;
    }

    /** Checks how many elements are wanted; returns whether it is any. */
    static boolean isAny(Aggregate aggregate, int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException(
                    "%s: the limit of a range is %d, must be at least 0".formatted(aggregate.title(), limit));
        }
        return limit > 0;
    }
}
