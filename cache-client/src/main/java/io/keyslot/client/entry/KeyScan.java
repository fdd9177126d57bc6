// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.ServedSlots;
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

/** Lists the stored keys of one cache, a page of one partition at a time. Safe for use by several threads. */
public final class KeyScan {
    /** How many keys a partition looks at for one page: about a millisecond of a server's time. */
    private static final int KEYS_LOOKED_AT = 1000;

    private final PartitionRouter router;
    private final EntryCalls calls;
    private final String prefix;
    private final UnaryOperator<EncodedKey> asOfCache;
    private final Failures failures;
    private final Function<String, CallBudget> budgets;

    /**
     * Creates a scan.
     *
     * @param prefix what all keys of the cache start with
     * @param asOfCache gives a key what the cache's keys have besides their bytes
     * @param budgets gives the budget of each page, for the method that the application called
     */
    public KeyScan(
            PartitionRouter router,
            EntryCalls calls,
            String prefix,
            UnaryOperator<EncodedKey> asOfCache,
            Failures failures,
            Function<String, CallBudget> budgets) {
        this.router = router;
        this.calls = calls;
        this.prefix = prefix;
        this.asOfCache = asOfCache;
        this.failures = failures;
        this.budgets = budgets;
    }

    /** Returns what is to be scanned, by the slot map of now. When a part is over, {@link #rest} says what is left of it. */
    public List<ScanPart> parts() {
        return ScanPart.of(router.layout());
    }

    /** Returns those parts of a part that failed which are at other partitions by now. */
    public List<ScanPart> moved(ScanPart part) {
        return part.movedBy(router.layout());
    }

    /**
     * Returns those parts of a part whose last page was read which are at other partitions by now. Where servers move slots by
     * themselves, this one is asked: what this process knows of them may be old, and does not say which are half way.
     *
     * @throws KeyslotException if the partition cannot be asked, and does not only forbid it
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

    /** Returns the key of the cache with this text. */
    public EncodedKey keyOf(String text) {
        return asOfCache.apply(EncodedKey.of(text));
    }

    /** Returns the slot in which a key is stored, by the newest map. */
    public int slotOf(EncodedKey key) {
        return router.slotOf(key);
    }

    /** Returns whether all of a part is at other partitions by now: it does not matter whether its own can be asked. */
    public boolean isGone(ScanPart part) {
        return part.isGoneBy(router.layout());
    }

    /**
     * Returns one page of the keys whose slots are of the part.
     *
     * @param cursor {@link ScanPage#START}, or what the page before said is next
     * @throws KeyslotException if the partition cannot be asked
     */
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
     * Hands on all keys of all partitions, a page at a time, those of slots that have moved away included: a key may come more
     * than once. A partition that fails does not stop the others, nor does a page with which the receiver fails stop its partition.
     *
     * @throws CacheException when all others are done, if a partition or the receiver failed
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
     * Does the same as {@link #forEachPage} to clear the cache, and does not fail: where a partition fails, for whatever reason, the
     * entries of this cache there are removed in the background.
     *
     * @return why, null if none are
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

    /** @param parts what is left of the part is added in front */
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
