// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Sends commands about entries of one cache to the partitions that own their slots. Thread-safe.
 *
 * <p>These methods do not throw or block: every failure is a reply. Lists of replies have the order of the request.
 */
public interface EntrySender {
    <R> CompletableFuture<Reply<R>> send(EncodedKey key, Command<R> command, Patience patience);

    CompletableFuture<List<Reply<Lookup>>> getAll(List<EncodedKey> keys, Patience patience);

    ReadSender reads();

    /** Describes the replicas that answer plain reads of an entry at present; empty if only its partition does. */
    default CompletableFuture<Optional<ReplicaState>> explainReads(EncodedKey key, Patience patience) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    CompletableFuture<List<Reply<Boolean>>> putAll(List<Command.Put> puts, Patience patience);

    /** Removes entries; the replies do not say whether they existed. */
    CompletableFuture<List<Reply<Boolean>>> removeAll(List<EncodedKey> keys, Patience patience);

    /** Called before all entries of the cache are removed one by one. Ends leases of this process; sends nothing. */
    default void clearing() {}

    /** Has everything stored under the keys deleted, now or before it is read again; later reads do not return it. */
    void forget(List<EncodedKey> keys);
}
