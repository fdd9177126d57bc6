// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.routing.Deadline;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Waiter;
import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lists the stored keys of one cache, a page of one partition at a time. Safe for use by several threads. */
public final class KeyScan {
    /** How many keys a partition looks at for one page: about a millisecond of a server's time. */
    private static final int KEYS_LOOKED_AT = 1000;

    private final PartitionRouter router;
    private final Waiter waiter;
    private final String prefix;
    private final Failures failures;
    private final Supplier<Deadline> deadlines;

    /**
     * Creates a scan.
     *
     * @param prefix what all keys of the cache start with
     * @param deadlines gives the deadline of each page
     */
    public KeyScan(
            PartitionRouter router, Waiter waiter, String prefix, Failures failures, Supplier<Deadline> deadlines) {
        this.router = router;
        this.waiter = waiter;
        this.prefix = prefix;
        this.failures = failures;
        this.deadlines = deadlines;
    }

    /** Returns the partitions to be scanned. */
    public List<PartitionId> partitions() {
        return router.slotMap().partitions();
    }

    /**
     * Returns one page.
     *
     * @param cursor {@link ScanPage#START}, or what the page before said is next
     * @throws KeyslotException if the partition cannot be asked
     */
    public ScanPage page(PartitionId partition, String cursor) {
        Deadline deadline = deadlines.get();
        Reply<ScanPage> reply = waiter.await(
                router.sendTo(partition, new Command.Scan(cursor, prefix, KEYS_LOOKED_AT), deadline),
                deadline,
                () -> Reply.unknown("no answer within the call's deadline", null));
        if (reply instanceof Reply.Done<ScanPage> done) {
            return done.value();
        }
        throw reply instanceof Reply.Refused<ScanPage> refused
                ? failures.of("scan", refused)
                : failures.ofRead("scan", (Reply.Unknown<ScanPage>) reply);
    }

    /**
     * Hands on all keys of all partitions, a page at a time; a key may come more than once. A partition that fails does
     * not stop the others.
     *
     * @throws KeyslotException when all others are done, if a partition or the receiver failed
     */
    public void forEachPage(Consumer<List<EncodedKey>> receiver) {
        KeyslotException failure = null;
        for (PartitionId partition : partitions()) {
            try {
                forEachPage(partition, receiver);
            } catch (KeyslotException e) {
                failure = joined(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void forEachPage(PartitionId partition, Consumer<List<EncodedKey>> receiver) {
        ScanPage page = page(partition, ScanPage.START);
        receiver.accept(page.keys());
        while (!page.isLast()) {
            page = page(partition, page.next());
            receiver.accept(page.keys());
        }
    }

    private static KeyslotException joined(@Nullable KeyslotException first, KeyslotException next) {
        if (first == null || first == next) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
