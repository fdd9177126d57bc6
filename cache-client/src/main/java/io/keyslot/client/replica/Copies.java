// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.client.entry.StampSource;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.time.Patience;
import io.keyslot.client.time.Ticker;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The copies of entries at the partitions that do not own their slots. {@code docs/replicated.md} has the protocol that
 * its steps belong to.
 *
 * <ul>
 *   <li>A lease in the place of a copy says that the entry may be changing: nobody else puts a value there before it ends.
 *   <li>A value is put there only in place of a lease, and only by who put the lease there when there was no other: so it is
 *       not older than a change that had been announced.
 *   <li>Where no lease can be put, the deletion of the copy goes to the partition's journal.
 * </ul>
 *
 * <p>Safe for use by several threads. Nothing here throws or blocks.
 */
final class Copies {
    /** How long a lease lasts, beyond the deadline of the call that puts it there. */
    static final Duration LEASE = Duration.ofSeconds(5);

    private final PartitionRouter router;
    private final StampSource stamps;
    private final CopyFills fills;
    private final CopyObserver observer;

    Copies(PartitionRouter router, StampSource stamps, Ticker ticker, CopyObserver observer) {
        this.router = router;
        this.stamps = stamps;
        this.fills = new CopyFills(router, ticker);
        this.observer = observer;
    }

    /** Returns what puts entries into places that are held, and reads them there. */
    CopyFills fills() {
        return fills;
    }

    /** Returns the partitions that have copies of what this one owns. */
    List<PartitionId> othersThan(PartitionId home) {
        return router.slotMap().partitions().stream()
                .filter(partition -> !partition.equals(home))
                .toList();
    }

    /** Announces a change: puts leases in the places of all copies, as far as that is possible. */
    CompletableFuture<List<Hold>> announce(EncodedKey key, PartitionId home, Patience patience) {
        return Together.each(othersThan(home), partition -> take(partition, key, patience));
    }

    /**
     * Makes sure that no copy has a value from before this call: each place has a lease again, or its deletion is journaled. The owner
     * may be another one than when the change was announced: its place is none any more, and that of the former owner is one.
     *
     * @param announced the leases of before the change; none if it was not announced
     */
    CompletableFuture<List<Hold>> hold(EncodedKey key, PartitionId home, List<Hold> announced, Patience patience) {
        List<Hold> before = othersThan(router.ownerOf(key).orElse(home)).stream()
                .map(partition -> announced.stream()
                        .filter(hold -> hold.partition().equals(partition))
                        .findFirst()
                        .orElseGet(() -> Hold.none(partition)))
                .toList();
        return Together.each(before, hold -> renewed(hold, key, patience).thenApply(now -> orJournaled(now, key)));
    }

    private CompletableFuture<Hold> renewed(Hold hold, EncodedKey key, Patience patience) {
        return switch (hold.kind()) {
            case SOLE -> replace(hold.partition(), key, hold.lease(), patience);
            case SHARED -> force(hold.partition(), key, patience);
            case NONE -> take(hold.partition(), key, patience);
        };
    }

    private Hold orJournaled(Hold hold, EncodedKey key) {
        if (hold.isNone()) {
            router.forgetCopies(hold.partition(), List.of(key));
            observer.onJournaled(hold.partition());
        }
        return hold;
    }

    /** Puts a lease there, whatever is there, and finds out whether somebody else has one. */
    private CompletableFuture<Hold> take(PartitionId partition, EncodedKey key, Patience patience) {
        long lease = stamps.next();
        return router.sendToCopies(partition, new Command.Lease(key, lease, lasting(patience)), patience)
                .thenCompose(reply -> taken(reply, partition, key, lease, patience));
    }

    private CompletableFuture<Hold> taken(
            Reply<Lookup> reply, PartitionId partition, EncodedKey key, long lease, Patience patience) {
        if (!(reply instanceof Reply.Done<Lookup> done)) {
            return CompletableFuture.completedFuture(Hold.none(partition));
        }
        Lookup there = done.value();
        if (there.leaseStamp() == lease) {
            return CompletableFuture.completedFuture(Hold.sole(partition, lease));
        }
        return there.isFound() ? replace(partition, key, there.stamp(), patience) : force(partition, key, patience);
    }

    /** Puts a lease in place of what has this stamp, or of anything else, which is then somebody else's. */
    private CompletableFuture<Hold> replace(PartitionId partition, EncodedKey key, long stamp, Patience patience) {
        long lease = stamps.next();
        Command.CompareAndSet replace = new Command.CompareAndSet(key, stamp, Envelope.lease(lease), lasting(patience));
        return router.sendToCopies(partition, replace, patience).thenCompose(reply -> {
            if (!(reply instanceof Reply.Done<Boolean> done)) {
                return CompletableFuture.completedFuture(Hold.none(partition));
            }
            return done.value()
                    ? CompletableFuture.completedFuture(Hold.sole(partition, lease))
                    : force(partition, key, patience);
        });
    }

    private CompletableFuture<Hold> force(PartitionId partition, EncodedKey key, Patience patience) {
        long lease = stamps.next();
        Expiry lasting = lasting(patience);
        return router.sendToCopies(partition, new Command.Put(key, Envelope.lease(lease), lasting, lasting), patience)
                .thenApply(reply -> reply instanceof Reply.Done ? Hold.shared(partition, lease) : Hold.none(partition));
    }

    private static Expiry lasting(Patience patience) {
        long left = Math.max(0, TimeUnit.NANOSECONDS.toMillis(patience.remainingNanos()));
        return Expiry.afterMillis(LEASE.toMillis() + left);
    }

    /** Takes a lease at one partition if there is nothing; it is held alone, or not at all. */
    CompletableFuture<Hold> takeIfNothing(PartitionId partition, EncodedKey key, Patience patience) {
        long lease = stamps.next();
        return router.sendToCopies(partition, new Command.Lease(key, lease, lasting(patience)), patience)
                .thenApply(reply ->
                        reply instanceof Reply.Done<Lookup> done && done.value().leaseStamp() == lease
                                ? Hold.sole(partition, lease)
                                : Hold.none(partition));
    }
}
