// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupListing.Row;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.GroupHome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Reads the index of a group page by page, with a deadline for each page, and removes names without an entry. */
final class IndexReader {
    /** A server is blocked while it reads a page. */
    static final int PAGE = 500;

    private final GroupCalls calls;
    private final GroupHome home;

    IndexReader(GroupCalls calls) {
        this.calls = calls;
        this.home = calls.keys().home();
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
            List<Row> page = ask(operation, new GroupListing.Rows(home, rest.span(PAGE)));
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
            calls.ask(new GroupListing.Forget(home, names), calls.budgets().of("forget"));
        }
    }

    /** Passes pages of all names to the receiver, including those without an entry. */
    void forEachPage(String operation, Consumer<List<Element>> receiver) {
        RowBounds rest = everything();
        List<Element> page;
        do {
            page = ask(operation, new GroupListing.Names(home, rest.span(PAGE)));
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
}
