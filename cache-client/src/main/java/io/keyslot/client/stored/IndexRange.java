// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/** Positions from {@code from}, inclusive, to {@code to}, exclusive; both are equal if the range is empty. */
record IndexRange(int from, int to) {
    private static final IndexRange NONE = new IndexRange(0, 0);

    /** Returns the range between two indexes, inclusive, negative from the end, in a list of this size. */
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
