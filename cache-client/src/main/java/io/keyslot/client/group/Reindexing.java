// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.aggregate.Element;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupHome;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.Slices;
import io.keyslot.client.time.Deadline;
import java.util.List;

/** Finds the rows of one entity type by their keys, and lists those that the index has lost. */
final class Reindexing {
    /** About how many keys a server looks at for one page; it does nothing else meanwhile. */
    static final int PAGE = 1_000;

    private final GroupParts parts;
    private final String type;

    Reindexing(GroupParts parts, String type) {
        this.parts = parts;
        this.type = type;
    }

    /** Returns whether all keys were looked at before the deadline. */
    boolean run(Deadline deadline) {
        String prefix = parts.keys().rowKeyPrefix(type);
        ScanPage page = new ScanPage(List.of(), ScanPage.START);
        do {
            Command<ScanPage> next = new Command.Scan(page.next(), prefix, PAGE);
            page = parts.calls().answer(next, parts.budget("reindex"));
            list(page);
        } while (!page.isLast() && !deadline.isOver());
        return page.isLast();
    }

    private void list(ScanPage page) {
        GroupHome home = parts.keys().home();
        List<Element> names = page.keys().stream().map(home::nameOf).toList();
        for (List<Element> some : Slices.of(names, IndexReader.PAGE)) {
            GroupListing<Long> relist = new GroupListing.Relist(home, some);
            parts.calls().answer(relist, parts.budget("reindex"));
        }
    }
}
