// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Slices;
import java.util.List;

/** Finds the rows of one entity type by a scan of keys, and adds missing ones to the index. */
final class Reindexing {
    /** The approximate number of keys that a server scans for one page, during which it is blocked. */
    static final int PAGE = 1_000;

    private final GroupCalls calls;
    private final String type;

    Reindexing(GroupCalls calls, String type) {
        this.calls = calls;
        this.type = type;
    }

    boolean run(Deadline deadline) {
        String prefix = calls.keys().rowKeyPrefix(type);
        ScanPage page = new ScanPage(List.of(), ScanPage.START);
        do {
            Command<ScanPage> next = new Command.Scan(page.next(), prefix, PAGE);
            page = calls.answer(next, "reindex");
            list(page);
        } while (!page.isLast() && !deadline.isOver());
        return page.isLast();
    }

    private void list(ScanPage page) {
        GroupHome home = calls.keys().home();
        List<Element> names = page.keys().stream().map(home::nameOf).toList();
        for (List<Element> some : Slices.of(names, IndexReader.PAGE)) {
            GroupListing<Long> relist = new GroupListing.Relist(home, some);
            calls.answer(relist, "reindex");
        }
    }
}
