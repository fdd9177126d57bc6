// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.ServedSlots;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Lists the stored keys of one cache, page by page of one partition at a time. Thread-safe. */
public record KeyScan(PartitionRouter router, EntryCalls calls, String prefix, UnaryOperator<EncodedKey> asOfCache, Failures failures, Function<String, CallBudget> budgets) {
    /** How many keys a partition examines for one page: about a millisecond of a server's time. */
    private static final int KEYS_LOOKED_AT = 1000;

    /** Returns the parts to scan by the current slot map; {@link #rest} returns the continuations of a part. */
    public List<ScanPart> parts() {
        return ScanPart.of(router.layout());
    }

    /** Returns the subsets of a failed part that other partitions own now. */
    public List<ScanPart> moved(ScanPart part) {
        return part.movedBy(router.layout());
    }

    /**
     * Returns the subsets of a completely listed part that other partitions own now. If servers move slots themselves,
     * the server is asked, as the layout of this process may be old and does not show half-moved slots. Throws if it
     * fails, unless the command is forbidden.
     */
    public List<ScanPart> rest(ScanPart part, CallBudget budget) {
        Layout now = router.layout();
        if (!now.isOfServers()) {
            return part.movedBy(now);
        }
        Reply<Optional<ServedSlots>> reply = calls.ask(part.partition(), new Command.Served(), budget);
        if (reply instanceof Reply.Done<Optional<ServedSlots>> done) {
            return done.value().map(said -> part.leftBy(said, now)).orElseGet(() -> part.movedBy(now));
        }
        if (reply instanceof Reply.Refused<Optional<ServedSlots>> refused) {
            if (refused.refusal() == Refusal.FORBIDDEN) {
                return part.movedBy(now);
            }
            throw failures.of(budget.operation(), refused);
        }
        throw failures.ofRead(budget.operation(), (Reply.Unknown<Optional<ServedSlots>>) reply);
    }

    public EncodedKey keyOf(String text) {
        return asOfCache.apply(EncodedKey.of(text));
    }

    public int slotOf(EncodedKey key) {
        return router.slotOf(key);
    }

    /** Returns whether other partitions own the whole part now, so that a failure does not matter. */
    public boolean isGone(ScanPart part) {
        return part.isGoneBy(router.layout());
    }

    /** Returns a page of the part's keys, from {@link ScanPage#START} or the next cursor of the previous page. */
    public ScanPage page(ScanPart part, String cursor, CallBudget budget) {
        ScanPage page = everything(part.partition(), cursor, budget);
        List<EncodedKey> owned = page.keys().stream().filter(part::has).toList();
        return new ScanPage(owned, page.next());
    }

    private ScanPage everything(PartitionId partition, String cursor, CallBudget budget) {
        Reply<ScanPage> reply = calls.ask(partition, new Command.Scan(cursor, prefix, KEYS_LOOKED_AT), budget);
        if (reply instanceof Reply.Done<ScanPage> done) {
            return asOfCache(done.value());
        }
        throw reply instanceof Reply.Refused<ScanPage> refused
                ? failures.of(budget.operation(), refused)
                : failures.ofRead(budget.operation(), (Reply.Unknown<ScanPage>) reply);
    }

    private ScanPage asOfCache(ScanPage page) {
        return new ScanPage(page.keys().stream().map(asOfCache).toList(), page.next());
    }

    /**
     * Passes all keys of all partitions to the receiver, page by page, including those of slots that have moved: a key
     * may come more than once. Failures of partitions and of the receiver do not stop the scan, and are thrown at its
     * end.
     */
    public void forEachPage(String operation, Consumer<List<EncodedKey>> receiver) {
        CacheException failure = null;
        Deque<ScanPart> parts = new ArrayDeque<>(parts());
        while (!parts.isEmpty()) {
            failure = joined(failure, failureOf(operation, parts.remove(), receiver, parts));
        }
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * As {@link #forEachPage}, but if a partition fails, its entries of this cache are removed in the background.
     * Returns the failure, or null.
     */
    public @Nullable CacheException forEachPageOrLater(String operation, Consumer<List<EncodedKey>> receiver) {
        CacheException failure = null;
        Deque<ScanPart> parts = new ArrayDeque<>(parts());
        while (!parts.isEmpty()) {
            ScanPart part = parts.remove();
            CacheException ofPart = failureOf(operation, part, receiver, parts);
            if (ofPart != null) {
                router.clearLater(part.partition(), prefix, asOfCache);
                failure = joined(failure, ofPart);
            }
        }
        return failure;
    }

    /** Scans one part, and adds its continuations to the front of {@code parts}; returns the failure, or null. */
    private @Nullable CacheException failureOf(
            String operation, ScanPart part, Consumer<List<EncodedKey>> receiver, Deque<ScanPart> parts) {
        CacheException failure = null;
        try {
            PartitionId partition = part.partition();
            ScanPage page = everything(partition, ScanPage.START, budgets.apply(operation));
            failure = failureOf(page, receiver);
            while (!page.isLast()) {
                page = everything(partition, page.next(), budgets.apply(operation));
                failure = joined(failure, failureOf(page, receiver));
            }
            rest(part, budgets.apply(operation)).forEach(parts::addFirst);
            return failure;
        } catch (KeyslotException e) {
            moved(part).forEach(parts::addFirst);
            return isGone(part) ? failure : joined(failure, e);
        }
    }

    private static @Nullable CacheException failureOf(ScanPage page, Consumer<List<EncodedKey>> receiver) {
        try {
            receiver.accept(page.keys());
            return null;
        } catch (CacheException e) {
            return e;
        }
    }

    private static @Nullable CacheException joined(@Nullable CacheException first, @Nullable CacheException next) {
        if (first == null || next == null) {
            return first == null ? next : first;
        }
        if (!first.equals(next)) {
            first.addSuppressed(next);
        }
        return first;
    }
}
