// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/**
 * Positions from one to another.
 *
 * @param from the first one
 * @param to behind the last one; {@code from} if there are none
 */
record IndexRange(int from, int to) {
    private static final IndexRange NONE = new IndexRange(0, 0);

    /** Returns what is between two indexes, inclusive, negative ones from the end, of so many elements. */
    static IndexRange of(Element first, Element last, int size) {
        long from = Math.max(0, fromStart(first, size));
        long to = Math.min(size - 1L, fromStart(last, size));
        return from > to ? NONE : new IndexRange((int) from, (int) to + 1);
    }

    /** Returns the position with this index, -1 if there is none. */
    static int position(Element index, int size) {
        long position = fromStart(index, size);
        return position >= 0 && position < size ? (int) position : -1;
    }

    private static long fromStart(Element index, int size) {
        long number = Long.parseLong(index.text());
        return number < 0 ? number + size : number;
    }

    int size() {
        return to - from;
    }
}
