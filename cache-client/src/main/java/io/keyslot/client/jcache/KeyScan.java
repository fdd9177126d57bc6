// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Patience;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Lists the stored keys of one cache, page by page of one partition at a time. Thread-safe. */
record KeyScan(
        PartitionRouter router,
        EntryCalls calls,
        String prefix,
        UnaryOperator<EncodedKey> asOfCache,
        Failures failures) {
    /** How many keys a partition examines for one page: about a millisecond of a server's time. */
    private static final int KEYS_LOOKED_AT = 1000;

    /** Returns the parts to scan by the current slot map. */
    List<ScanPart> parts() {
        return ScanPart.of(router.layout());
    }

    EncodedKey keyOf(String text) {
        return asOfCache.apply(EncodedKey.of(text));
    }

    /** Returns a walk through a part, and through slots of it that move to other partitions meanwhile. */
    Walk walk(ScanPart part) {
        return new Walk(List.of(part), true);
    }

    Walk walk() {
        return new Walk(parts(), true);
    }

    /** Returns a walk through all keys that the partitions have, including those of slots that have moved. */
    Walk walkStored() {
        return new Walk(parts(), false);
    }

    /**
     * Lists parts page by page, with one command for each call of {@link #next}. Slots that have moved meanwhile come after
     * their part. A part that fails is repeated unless it is {@linkplain #passOver passed over}; if other partitions own all
     * of it by then, it has not failed. For use by one thread at a time.
     */
    final class Walk {
        private final Deque<ScanPart> parts;
        private final boolean isOfOwned;

        /** The next page of the first part, null if no page of it has been listed. */
        private @Nullable String cursor;

        /** Whether all pages of the first part have been listed, but the server was not asked which slots have moved. */
        private boolean isListed;

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

        /** Sends the command of {@link #next}, which takes its reply from the budget. */
        CompletableFuture<?> sendAhead(CallBudget budget) {
            Command<?> command = isListed ? new Command.Served() : command();
            return budget.sendAhead(deadline -> router.sendTo(partition(), command, Patience.until(deadline)));
        }

        private Command.Scan command() {
            return new Command.Scan(cursor == null ? ScanPage.START : cursor, prefix, KEYS_LOOKED_AT);
        }

        /** Returns the keys of the next page, perhaps none, or throws if the part fails. */
        List<EncodedKey> next(CallBudget budget) {
            ScanPart part = parts.element();
            try {
                return isListed ? rest(part, budget) : page(part, budget);
            } catch (KeyslotException e) {
                if (!part.isGoneBy(router.layout())) {
                    throw e;
                }
                passOver();
                return List.of();
            }
        }

        private List<EncodedKey> page(ScanPart part, CallBudget budget) {
            ScanPage page = done(calls.ask(part.partition(), command(), budget), budget);
            Layout now = router.layout();
            cursor = page.next();
            isListed = page.isLast();
            if (isListed && !now.isOfServers()) {
                goOn(part.movedBy(now));
            }
            return page.keys().stream()
                    .map(asOfCache)
                    .filter(key -> !isOfOwned || part.has(key))
                    .toList();
        }

        /**
         * Goes on with the slots that other partitions own now. If servers move slots themselves, the server is asked, as
         * the layout of this process may be old and does not show half-moved slots.
         */
        private List<EncodedKey> rest(ScanPart part, CallBudget budget) {
            Layout now = router.layout();
            Reply<Optional<ServedSlots>> reply = calls.ask(part.partition(), new Command.Served(), budget);
            goOn((reply.isRefused(Refusal.FORBIDDEN) ? Optional.<ServedSlots>empty() : done(reply, budget))
                    .map(said -> part.leftBy(said, now))
                    .orElseGet(() -> part.movedBy(now)));
            return List.of();
        }

        private <R> R done(Reply<R> reply, CallBudget budget) {
            if (reply instanceof Reply.Done<R> done) {
                return done.value();
            }
            throw failures.ofRead(budget.operation(), reply);
        }

        /** Goes on behind a part that has failed, with those of its slots that other partitions own now. */
        void passOver() {
            goOn(parts.element().movedBy(router.layout()));
        }

        private void goOn(List<ScanPart> rest) {
            parts.remove();
            rest.forEach(parts::addFirst);
            cursor = null;
            isListed = false;
        }
    }
}
