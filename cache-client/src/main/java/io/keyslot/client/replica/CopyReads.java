// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.client.call.ReadSender;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Description;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.time.Patience;
import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries of a replicated cache: from one partition's copies, or from the owners of the slots. What is not there is
 * read from its owner, and copied on the way if nobody is changing it. If the owner cannot be asked, any other copy will do,
 * unless the entry waits to be repaired: then its copies are as doubtful as what its owner has.
 */
final class CopyReads implements ReadSender {
    private final PartitionRouter router;
    private final Copies copies;
    private final CopyRepairs repairs;
    private final OtherCopies others;
    private final @Nullable PartitionId preferred;

    /**
     * Creates reads.
     *
     * @param repairs the entries of which no copy is read
     * @param preferred whose copies are read first; null for the owner of each slot
     */
    CopyReads(PartitionRouter router, Copies copies, CopyRepairs repairs, @Nullable PartitionId preferred) {
        this.router = router;
        this.copies = copies;
        this.repairs = repairs;
        this.others = new OtherCopies(router, copies, repairs);
        this.preferred = preferred;
    }

    @Override
    public CompletableFuture<Reply<Lookup>> read(EncodedKey key, Patience patience) {
        PartitionId home = router.ownerOf(key).orElse(null);
        if (home == null || preferred == null || preferred.equals(home) || !router.isReadAt(preferred, key)) {
            return readHome(key, patience);
        }
        return router.sendTo(preferred, new Command.Get(key), patience)
                .thenCompose(reply -> orRead(reply, preferred, home, key, patience.withoutWaiter()));
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> readAll(List<EncodedKey> keys, Patience patience) {
        Patience each = patience.withoutWaiter();
        return Together.slices(
                keys,
                slice -> preferred == null || slice.stream().anyMatch(key -> isOnlyAtHome(preferred, key))
                        ? router.getAll(slice, each).thenCompose(replies -> orCopies(slice, replies, each))
                        : router.sendTo(preferred, new Command.GetAll(slice), each)
                                .thenCompose(reply -> orReadAll(reply, preferred, slice, each)));
    }

    private boolean isOnlyAtHome(PartitionId partition, EncodedKey key) {
        return router.isOnlyAtHome(key) || !router.isReadAt(partition, key);
    }

    private CompletableFuture<List<Reply<Lookup>>> orCopies(
            List<EncodedKey> keys, List<Reply<Lookup>> replies, Patience patience) {
        return Together.each(positions(keys), i -> others.orCopy(keys.get(i), replies.get(i), patience));
    }

    private CompletableFuture<List<Reply<Lookup>>> orReadAll(
            Reply<List<Lookup>> reply, PartitionId partition, List<EncodedKey> keys, Patience patience) {
        return Together.each(
                positions(keys), i -> orRead(replyAt(i, keys.size(), reply), partition, keys.get(i), patience));
    }

    private static List<Integer> positions(List<EncodedKey> keys) {
        return IntStream.range(0, keys.size()).boxed().toList();
    }

    private static Reply<Lookup> replyAt(int position, int count, Reply<List<Lookup>> reply) {
        if (reply instanceof Reply.Done<List<Lookup>> done) {
            return done.value().size() == count
                    ? Reply.ofOne(done.value().get(position))
                    : Reply.unknown("another number of answers than of keys", null);
        }
        return reply instanceof Reply.Refused<List<Lookup>> refused
                ? refused.as()
                : ((Reply.Unknown<List<Lookup>>) reply).as();
    }

    private CompletableFuture<Reply<Lookup>> orRead(
            Reply<Lookup> reply, PartitionId partition, EncodedKey key, Patience patience) {
        PartitionId home = router.ownerOf(key).orElse(null);
        return home == null || partition.equals(home)
                ? others.orCopy(key, reply, patience)
                : orRead(reply, partition, home, key, patience);
    }

    /** Returns what a partition has that is not the owner, or else what the owner has. */
    private CompletableFuture<Reply<Lookup>> orRead(
            Reply<Lookup> reply, PartitionId partition, PartitionId home, EncodedKey key, Patience patience) {
        if (!(reply instanceof Reply.Done<Lookup> done) || repairs.isWaiting(key)) {
            return readHome(key, patience);
        }
        Lookup there = done.value();
        Envelope stored = there.envelope();
        if (stored == null) {
            return there.outcome() == Lookup.Outcome.LEASED
                    ? readHome(key, patience)
                    : copies.takeIfNothing(partition, key, patience)
                            .thenCompose(hold -> readAndCopy(hold, key, patience));
        }
        Optional<Envelope> entry = copies.fills().entryOf(stored, home);
        if (entry.isPresent()) {
            return CompletableFuture.completedFuture(Reply.done(Lookup.of(entry.get())));
        }
        removeOutdated(partition, key, stored);
        return readHome(key, patience);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is not served, whether or not it is removed
    private void removeOutdated(PartitionId partition, EncodedKey key, Envelope stored) {
        router.sendToCopies(
                partition,
                new Command.CompareAndRemove(key, stored.stamp()),
                copies.fills().soon());
    }

    private CompletableFuture<Reply<Lookup>> readAndCopy(Hold hold, EncodedKey key, Patience patience) {
        return hold.isNone()
                ? readHome(key, patience)
                : copies.fills()
                        .fill(key, List.of(hold), patience)
                        .thenCompose(reply -> others.orCopy(key, lookupOf(reply), patience));
    }

    private static Reply<Lookup> lookupOf(Reply<Description> reply) {
        if (reply instanceof Reply.Done<Description> done) {
            return Reply.done(done.value().lookup());
        }
        return reply instanceof Reply.Refused<Description> refused
                ? refused.as()
                : ((Reply.Unknown<Description>) reply).as();
    }

    private CompletableFuture<Reply<Lookup>> readHome(EncodedKey key, Patience patience) {
        return router.send(key, new Command.Get(key), patience)
                .thenCompose(reply -> others.orCopy(key, reply, patience.withoutWaiter()));
    }
}
