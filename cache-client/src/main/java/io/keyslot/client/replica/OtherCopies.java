// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.time.Patience;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads any copy of an entry whose owner cannot be asked, unless the entry waits to be repaired. */
final class OtherCopies {
    private final PartitionRouter router;
    private final Copies copies;
    private final CopyRepairs repairs;

    OtherCopies(PartitionRouter router, Copies copies, CopyRepairs repairs) {
        this.router = router;
        this.copies = copies;
        this.repairs = repairs;
    }

    /** Returns the owner's reply if it has answered, or else a copy if there is one anywhere. */
    CompletableFuture<Reply<Lookup>> orCopy(EncodedKey key, Reply<Lookup> reply, Patience patience) {
        PartitionId home = router.ownerOf(key).orElse(null);
        return reply instanceof Reply.Done || home == null || repairs.isWaiting(key)
                ? CompletableFuture.completedFuture(reply)
                : copyFrom(candidates(key, home), home, key, reply, patience);
    }

    /** Returns who may have a copy, beginning with another one for each slot, so that they share the work. */
    private List<PartitionId> candidates(EncodedKey key, PartitionId home) {
        List<PartitionId> candidates = new ArrayList<>(copies.othersThan(home));
        candidates.removeIf(partition -> !router.isAsked(partition) || !router.isReadAt(partition, key));
        Collections.rotate(candidates, key.slot());
        return candidates;
    }

    private CompletableFuture<Reply<Lookup>> copyFrom(
            List<PartitionId> candidates,
            PartitionId home,
            EncodedKey key,
            Reply<Lookup> otherwise,
            Patience patience) {
        if (candidates.isEmpty()) {
            return CompletableFuture.completedFuture(otherwise);
        }
        List<PartitionId> rest = candidates.subList(1, candidates.size());
        return router.sendTo(candidates.get(0), new Command.Get(key), patience)
                .thenCompose(reply -> copyIn(reply, home)
                        .filter(found -> !repairs.isWaiting(key))
                        .map(found -> CompletableFuture.completedFuture(Reply.done(found)))
                        .orElseGet(() -> copyFrom(rest, home, key, otherwise, patience)));
    }

    private Optional<Lookup> copyIn(Reply<Lookup> reply, PartitionId home) {
        Envelope stored =
                reply instanceof Reply.Done<Lookup> done ? done.value().envelope() : null;
        return stored == null
                ? Optional.empty()
                : copies.fills().entryOf(stored, home).map(Lookup::of);
    }
}
