// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

/** Checks ranges like {@code java.util}. */
final class Ranges {
    private Ranges() {}

    /** Checks a range of indexes, with an exclusive end; returns whether it is not empty. */
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

    static boolean isAny(Aggregate aggregate, int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException(
                    "%s: the limit of a range is %d, must be at least 0".formatted(aggregate.title(), limit));
        }
        return limit > 0;
    }
}
