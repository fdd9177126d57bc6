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
 * Sends commands about entries of one cache to the partitions that own their slots. Safe for use by several threads.
 *
 * <p>Nothing here throws or blocks: every failure is a reply. Lists of replies have the order of what was asked.
 */
public interface EntrySender {
    /** Sends a command about one key; the owner of its slot decides what is answered. */
    <R> CompletableFuture<Reply<R>> send(EncodedKey key, Command<R> command, Patience patience);

    /** Reads entries where their slots are owned. */
    CompletableFuture<List<Reply<Lookup>>> getAll(List<EncodedKey> keys, Patience patience);

    /** Returns what answers the plain reads of an application. */
    ReadSender reads();

    /** Says who answers the plain reads of an entry at present; empty if that is its partition only. */
    default CompletableFuture<Optional<ReplicaState>> explainReads(EncodedKey key, Patience patience) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /** Stores entries. */
    CompletableFuture<List<Reply<Boolean>>> putAll(List<Command.Put> puts, Patience patience);

    /** Removes entries; the replies do not tell whether there were any. */
    CompletableFuture<List<Reply<Boolean>>> removeAll(List<EncodedKey> keys, Patience patience);

    /**
     * All entries of the cache are about to be removed, one after the other. What is only known here of entries that are not
     * there ends; nothing is sent.
     */
    default void clearing() {}

    /**
     * Has everything stored under the keys deleted, now or before it is read again. What this process reads after this call
     * is not answered with it.
     */
    void forget(List<EncodedKey> keys);
}
