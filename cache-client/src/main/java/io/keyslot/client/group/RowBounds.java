// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.partition.GroupListing.Span;
import io.keyslot.client.stored.Element;
import io.keyslot.slot.KeyText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A range of names of rows, from {@code from}, inclusive, to {@code to}, exclusive, which begin with the prefix. */
record RowBounds(String prefix, Element from, Element to, int limit, boolean isDescending) {
    /** Not a byte of UTF-8 text. */
    private static final byte AFTER_ALL = (byte) 0xff;

    static RowBounds all(String prefix, int limit) {
        return new RowBounds(prefix, Element.of(prefix), after(Element.of(prefix), AFTER_ALL), limit, false);
    }

    RowBounds from(String id) {
        return notBefore(name(id));
    }

    RowBounds after(String id) {
        return notBefore(after(name(id), (byte) 0));
    }

    RowBounds to(String id) {
        return before(name(id));
    }

    RowBounds startingWith(String start) {
        return from(start).before(after(name(start), AFTER_ALL));
    }

    RowBounds limit(int rows) {
        return new RowBounds(prefix, from, to, rows, isDescending);
    }

    RowBounds descending() {
        return new RowBounds(prefix, from, to, limit, !isDescending);
    }

    /** Returns the range after the last name of a page, with the remaining limit. */
    RowBounds behind(Element last, int left) {
        RowBounds rest = isDescending ? before(last) : notBefore(after(last, (byte) 0));
        return rest.limit(left);
    }

    boolean isEmpty() {
        return from.compareTo(to) >= 0;
    }

    Span span(int most) {
        return new Span(from, to, Math.min(limit, most), isDescending);
    }

    String idOf(Element name) {
        return KeyText.unescape(name.text().substring(prefix.length()));
    }

    private Element name(String id) {
        return Element.of(prefix + KeyText.escapeId(id));
    }

    private RowBounds notBefore(Element name) {
        return name.compareTo(from) <= 0 ? this : new RowBounds(prefix, name, to, limit, isDescending);
    }

    private RowBounds before(Element name) {
        return name.compareTo(to) >= 0 ? this : new RowBounds(prefix, from, name, limit, isDescending);
    }

    private static Element after(Element name, byte last) {
        byte[] bytes = Arrays.copyOf(name.bytes(), name.length() + 1);
        bytes[name.length()] = last;
        return Element.of(bytes);
    }

    int compare(String one, String other) {
        return Arrays.compareUnsigned(stored(one), stored(other)) * (isDescending ? -1 : 1);
    }

    private static byte[] stored(String id) {
        return KeyText.escapeId(id).getBytes(StandardCharsets.UTF_8);
    }
}
