// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupListing.Row;
import io.keyslot.client.partition.GroupListing.Span;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.slot.KeyText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Reads the index of a group page by page, with a deadline for each page, and removes names without an entry. */
record IndexReader(GroupCalls calls) {
    /** A server is blocked while it reads a page. */
    static final int PAGE = 500;

    private GroupHome home() {
        return calls.keys().home();
    }

    /** Returns the bounds of all names, including those without an entry. */
    RowBounds everything() {
        return RowBounds.all("", Integer.MAX_VALUE);
    }

    /** Passes rows with an entry to the receiver, in order, until it has accepted as many as the limit. */
    void forEachRow(String operation, RowBounds bounds, Predicate<Row> receiver) {
        RowBounds rest = bounds;
        while (rest.limit() > 0 && !rest.isEmpty()) {
            int most = rest.span(PAGE).limit();
            List<Row> page = ask(operation, new GroupListing.Rows(home(), rest.span(PAGE)));
            List<Element> gone = new ArrayList<>();
            int counted = 0;
            for (Row row : page) {
                if (!row.lookup().isFound()) {
                    gone.add(row.name());
                } else if (receiver.test(row)) {
                    counted++;
                }
            }
            forget(gone);
            if (page.size() < most) {
                return;
            }
            rest = rest.behind(page.get(page.size() - 1).name(), rest.limit() - counted);
        }
    }

    /** Removes names from the index. If that fails, the next read finds and removes them again. */
    private void forget(List<Element> names) {
        if (!names.isEmpty()) {
            calls.ask(new GroupListing.Forget(home(), names), calls.budget("forget"));
        }
    }

    /** Passes pages of all names to the receiver, including those without an entry. */
    void forEachPage(String operation, Consumer<List<Element>> receiver) {
        RowBounds rest = everything();
        List<Element> page;
        do {
            page = ask(operation, new GroupListing.Names(home(), rest.span(PAGE)));
            if (page.isEmpty()) {
                return;
            }
            receiver.accept(page);
            rest = rest.behind(page.get(page.size() - 1), Integer.MAX_VALUE);
        } while (page.size() == PAGE);
    }

    <R> R ask(String operation, GroupListing<R> listing) {
        return calls.answer(listing, operation);
    }

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
}
