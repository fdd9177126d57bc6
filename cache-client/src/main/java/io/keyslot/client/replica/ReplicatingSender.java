// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.client.call.EntrySender;
import io.keyslot.client.call.ReadSender;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.time.Deadline;
import io.keyslot.client.time.Patience;
import io.keyslot.client.time.Timing;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends commands about entries that every partition holds. The owner of a key's slot, its home, decides each of them, as if
 * there were no copies; a change is announced to the copies before, and none of them has the old value when it is answered.
 *
 * <p>{@code docs/replicated.md} has the protocol and why it is safe; {@link Copies} its steps.
 */
public final class ReplicatingSender implements EntrySender {
    /** Into how many parts the time that is left is divided: so many that what a step leaves is enough for the next. */
    private static final int PARTS = 4;

    private final PartitionRouter router;
    private final Timing timing;
    private final Copies copies;
    private final CopyRepairs repairs;

    public ReplicatingSender(
            String cacheName, PartitionRouter router, Timing timing, StampSource stamps, CopyObserver observer) {
        this.router = router;
        this.timing = timing;
        this.copies = new Copies(router, stamps, timing.ticker(), observer);
        this.repairs = new CopyRepairs(cacheName, timing, observer, this::repair);
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(EncodedKey key, Command<R> command, Patience patience) {
        PartitionId home = router.ownerOf(key).orElse(null);
        return home == null || !isChange(command)
                ? router.send(key, command, patience)
                : change(home, key, command, patience.withoutWaiter());
    }

    /** A lease and a claim change what stands beside the value, which no copy has. What is new counts as a change. */
    private static boolean isChange(Command<?> command) {
        return !(command instanceof Command.Get
                || command instanceof Command.Describe
                || command instanceof Command.Lease
                || command instanceof Command.Claim);
    }

    private <R> CompletableFuture<Reply<R>> change(
            PartitionId home, EncodedKey key, Command<R> command, Patience patience) {
        // Not given up with the call: what others have copied of what was before is taken away, whoever waits for that.
        Patience settling =
                Patience.until(Deadline.after(timing.ticker(), Duration.ofNanos(patience.remainingNanos())));
        // A change that will be refused must not cost the copies, which are read while their home is missing.
        CompletableFuture<List<Hold>> announced = router.isAsked(home)
                ? copies.announce(key, home, part(patience, 1))
                : CompletableFuture.completedFuture(List.of());
        return announced.thenCompose(holds -> router.send(key, command, part(patience, PARTS - 1))
                .thenCompose(reply -> settle(home, key, holds, reply, settling)));
    }

    private <R> CompletableFuture<Reply<R>> settle(
            PartitionId home, EncodedKey key, List<Hold> announced, Reply<R> reply, Patience settling) {
        if (announced.isEmpty() && reply instanceof Reply.Refused) {
            return CompletableFuture.completedFuture(reply);
        }
        // Over before the call's deadline: that a copy is silent must not hide from the caller what the home has
        // answered.
        return copies.hold(key, home, announced, part(settling, PARTS - 1)).thenApply(holds -> {
            fill(key, holds, reply);
            return reply;
        });
    }

    /** Nobody waits for this: until then, and if it fails, the copies are read from their home. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void fill(EncodedKey key, List<Hold> holds, Reply<?> change) {
        boolean isKnown = !(change instanceof Reply.Unknown);
        if (isKnown && holds.stream().noneMatch(Hold::isSole)) {
            return;
        }
        copies.fills().fill(key, holds, copies.fills().soon()).thenAccept(home -> {
            // A change that is executed only now has been announced long ago, and others may copy what was before.
            if (!isKnown && !(home instanceof Reply.Done)) {
                repairs.later(List.of(key));
            }
        });
    }

    /** Lets the copies agree with their home again; returns whether that has answered. */
    private CompletableFuture<Boolean> repair(EncodedKey key) {
        PartitionId home = router.ownerOf(key).orElse(null);
        if (home == null || !router.isAsked(home)) {
            return CompletableFuture.completedFuture(false);
        }
        return copies.hold(key, home, List.of(), copies.fills().soon())
                .thenCompose(
                        holds -> copies.fills().fill(key, holds, copies.fills().soon()))
                .thenApply(reply -> reply instanceof Reply.Done);
    }

    private static Patience part(Patience patience, int parts) {
        return Patience.until(patience.deadline().part(Duration.ofNanos(patience.remainingNanos() / PARTS * parts)));
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> getAll(List<EncodedKey> keys, Patience patience) {
        return router.getAll(keys, patience);
    }

    @Override
    public ReadSender reads() {
        return new CopyReads(router, copies, repairs, null);
    }

    @Override
    public ReadSender readsAt(PartitionId partition) {
        return new CopyReads(router, copies, repairs, partition);
    }

    @Override
    public CompletableFuture<List<Reply<Boolean>>> putAll(List<Command.Put> puts, Patience patience) {
        Patience each = patience.withoutWaiter();
        return Together.slices(puts, slice -> Together.each(slice, put -> send(put.key(), put, each)));
    }

    @Override
    public CompletableFuture<List<Reply<Boolean>>> removeAll(List<EncodedKey> keys, Patience patience) {
        Patience each = patience.withoutWaiter();
        return Together.slices(keys, slice -> Together.each(slice, key -> remove(key, each)));
    }

    private CompletableFuture<Reply<Boolean>> remove(EncodedKey key, Patience patience) {
        return send(key, new Command.RemoveAll(List.of(key)), patience).thenApply(ReplicatingSender::isDone);
    }

    private static Reply<Boolean> isDone(Reply<Long> reply) {
        if (reply instanceof Reply.Done) {
            return Reply.done(true);
        }
        return reply instanceof Reply.Refused<Long> refused ? refused.as() : ((Reply.Unknown<Long>) reply).as();
    }

    @Override
    public void forget(List<EncodedKey> keys) {
        router.slotMap().partitions().forEach(partition -> router.forget(partition, keys));
        repairs.later(keys); // between the deletions, others may have copied what was deleted at home only then
    }
}
