// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.entry.EntryCalls;
import io.keyslot.client.entry.Failures;
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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Lists the stored keys of one cache, page by page of one partition at a time. Thread-safe. */
record KeyScan(
        PartitionRouter router,
        EntryCalls calls,
        String prefix,
        UnaryOperator<EncodedKey> asOfCache,
        Failures failures,
        Function<String, CallBudget> budgets) {
    /** How many keys a partition examines for one page: about a millisecond of a server's time. */
    private static final int KEYS_LOOKED_AT = 1000;

    /** Returns the parts to scan by the current slot map; {@link #rest} returns the continuations of a part. */
    List<ScanPart> parts() {
        return ScanPart.of(router.layout());
    }

    /**
     * Returns the subsets of a completely listed part that other partitions own now. If servers move slots themselves,
     * the server is asked, as the layout of this process may be old and does not show half-moved slots. Throws if it
     * fails, unless the command is forbidden.
     */
    List<ScanPart> rest(ScanPart part, CallBudget budget) {
        Layout now = router.layout();
        if (!now.isOfServers()) {
            return part.movedBy(now);
        }
        Reply<Optional<ServedSlots>> reply = calls.ask(part.partition(), new Command.Served(), budget);
        if (reply instanceof Reply.Done<Optional<ServedSlots>> done) {
            return done.value().map(said -> part.leftBy(said, now)).orElseGet(() -> part.movedBy(now));
        }
        if (reply.isRefused(Refusal.FORBIDDEN)) {
            return part.movedBy(now);
        }
        throw failures.ofRead(budget.operation(), reply);
    }

    EncodedKey keyOf(String text) {
        return asOfCache.apply(EncodedKey.of(text));
    }

    /** Returns a page of the part's keys, from {@link ScanPage#START} or the next cursor of the previous page. */
    ScanPage page(ScanPart part, String cursor, CallBudget budget) {
        ScanPage page = everything(part.partition(), cursor, budget);
        List<EncodedKey> owned = page.keys().stream().filter(part::has).toList();
        return new ScanPage(owned, page.next());
    }

    private ScanPage everything(PartitionId partition, String cursor, CallBudget budget) {
        Reply<ScanPage> reply = calls.ask(partition, new Command.Scan(cursor, prefix, KEYS_LOOKED_AT), budget);
        if (reply instanceof Reply.Done<ScanPage> done) {
            ScanPage page = done.value();
            return new ScanPage(page.keys().stream().map(asOfCache).toList(), page.next());
        }
        throw failures.ofRead(budget.operation(), reply);
    }

    /** Returns a walk through a part, and through slots of it that move to other partitions meanwhile. */
    Walk walk(ScanPart part) {
        return new Walk(List.of(part), true);
    }

    Walk walk() {
        return new Walk(parts(), true);
    }

    /**
     * Passes all keys of all partitions to the receiver, page by page, including those of slots that have moved: a key
     * may come more than once. Failures of partitions and of the receiver do not stop the scan; returns them, or null.
     * If {@code isLater} accepts one, the entries of that partition are removed in the background.
     */
    @Nullable
    CacheException forEachPage(String operation, Predicate<Throwable> isLater, Consumer<List<EncodedKey>> receiver) {
        CacheException failure = null;
        Set<PartitionId> later = new HashSet<>();
        Walk walk = new Walk(parts(), false);
        while (walk.hasNext()) {
            PartitionId partition = walk.partition();
            CacheException ofPage = failureOf(operation, receiver, walk);
            if (ofPage != null) {
                if (isLater.test(ofPage) && later.add(partition)) {
                    router.clearLater(partition, prefix, asOfCache);
                }
                failure = Closing.joined(failure, ofPage);
            }
        }
        return failure;
    }

    private @Nullable CacheException failureOf(String operation, Consumer<List<EncodedKey>> receiver, Walk walk) {
        List<EncodedKey> keys;
        try {
            keys = walk.next(() -> budgets.apply(operation));
        } catch (KeyslotException e) {
            walk.passOver();
            return e;
        }
        try {
            receiver.accept(keys);
            return null;
        } catch (CacheException e) {
            return e;
        }
    }

    /**
     * Lists parts page by page. Slots that have moved meanwhile come after their part. A part that fails is repeated
     * unless it is {@linkplain #passOver passed over}; if other partitions own all of it by then, it has not failed. For
     * use by one thread.
     */
    final class Walk {
        private final Deque<ScanPart> parts;
        private final boolean isOfOwned;

        /** The next page of the first part, null if no page of it has been listed. */
        private @Nullable String cursor;

        /** The failure to find out which slots have moved, after a last page. */
        private @Nullable KeyslotException failure;

        private Walk(List<ScanPart> parts, boolean isOfOwned) {
            this.parts = new ArrayDeque<>(parts);
            this.isOfOwned = isOfOwned;
        }

        boolean hasNext() {
            return !parts.isEmpty();
        }

        /** Returns whether the next page is the first of a part no keys of which have been listed. */
        boolean isAtNewPart() {
            return cursor == null && !parts.isEmpty() && !parts.element().isContinued();
        }

        PartitionId partition() {
            return parts.element().partition();
        }

        /** Returns the keys of the next page, perhaps none, or throws if the part fails. */
        List<EncodedKey> next(Supplier<CallBudget> times) {
            throwFailure();
            ScanPart part = parts.element();
            String at = cursor == null ? ScanPage.START : cursor;
            List<EncodedKey> keys = List.of();
            try {
                ScanPage page = isOfOwned ? page(part, at, times.get()) : everything(part.partition(), at, times.get());
                keys = page.keys();
                cursor = page.next();
                if (page.isLast()) {
                    goOn(rest(part, times.get()));
                }
            } catch (KeyslotException e) {
                if (part.isGoneBy(router.layout())) {
                    passOver();
                } else {
                    failure = e;
                }
            }
            if (keys.isEmpty()) {
                throwFailure();
            }
            return keys;
        }

        private void throwFailure() {
            KeyslotException known = failure;
            failure = null;
            if (known != null) {
                throw known;
            }
        }

        /** Goes on behind a part that has failed, with those of its slots that other partitions own now. */
        void passOver() {
            goOn(parts.element().movedBy(router.layout()));
        }

        private void goOn(List<ScanPart> rest) {
            parts.remove();
            rest.forEach(parts::addFirst);
            cursor = null;
        }
    }
}
