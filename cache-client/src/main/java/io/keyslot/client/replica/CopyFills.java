// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.client.entry.Freshness;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Description;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.time.Deadline;
import io.keyslot.client.time.Patience;
import io.keyslot.client.time.Ticker;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Puts what the owner has into the places of copies that are held, and says what a copy is worth. */
final class CopyFills {
    /** A copy expires earlier than the entry by this, as it is put there later than the entry's time was read. */
    private static final Duration EXPIRES_EARLIER = Duration.ofSeconds(1);

    /** How long a fill may take, for which nobody waits: much less than its lease. */
    private static final Duration LONGEST_FILL = Duration.ofSeconds(1);

    /** What a server answers about the expiry of what does not expire. */
    private static final long NEVER = -1;

    private final PartitionRouter router;
    private final Ticker ticker;

    CopyFills(PartitionRouter router, Ticker ticker) {
        this.router = router;
        this.ticker = ticker;
    }

    /**
     * Reads the entry where its slot is owned, and puts it into the places that are held. Who asked need not wait for the
     * latter, and is answered when the owner is.
     */
    CompletableFuture<Reply<Description>> fill(EncodedKey key, List<Hold> holds, Patience patience) {
        return router.send(key, new Command.Describe(key), patience).thenApply(reply -> {
            if (reply instanceof Reply.Done<Description> home) {
                holds.stream().filter(Hold::isSole).forEach(hold -> fill(key, hold, home.value()));
            } // otherwise nobody knows what belongs there, and the leases end by themselves
            return reply;
        });
    }

    /** Returns the patience of a fill for which nobody waits. */
    Patience soon() {
        return Patience.until(Deadline.after(ticker, LONGEST_FILL));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // if it is lost, the lease ends by itself
    private void fill(EncodedKey key, Hold hold, Description home) {
        router.sendToCopies(hold.partition(), filling(key, hold.lease(), home), soon());
    }

    private Command<Boolean> filling(EncodedKey key, long lease, Description home) {
        Envelope entry = home.lookup().envelope();
        Expiry expiry = expiryOfCopy(home.expiresInMillis());
        return entry == null || expiry.isUnchanged() || !isFresh(entry)
                ? new Command.CompareAndRemove(key, lease)
                : new Command.CompareAndSet(key, lease, new Copy(home.epoch(), entry).stored(), expiry);
    }

    /** Returns {@code UNCHANGED} if the entry is not worth a copy any more, or gone since it was read. */
    private static Expiry expiryOfCopy(long millis) {
        if (millis == NEVER) {
            return Expiry.NEVER;
        }
        long left = millis - EXPIRES_EARLIER.toMillis();
        return left < 1 ? Expiry.UNCHANGED : Expiry.afterMillis(left);
    }

    private boolean isFresh(Envelope entry) {
        long until = Freshness.of(entry.freshUntilMillis()).until();
        return until == 0 || until > ticker.epochMillis();
    }

    /**
     * Returns the entry of which this is a copy; empty if it is none, is not fresh, or the owner has lost its entries since,
     * as far as this process knows.
     */
    Optional<Envelope> entryOf(Envelope stored, PartitionId home) {
        int epoch = router.epochOf(home);
        return Copy.read(stored)
                .filter(copy -> epoch == 0 || epoch == copy.homeEpoch())
                .map(Copy::entry)
                .filter(this::isFresh);
    }
}
