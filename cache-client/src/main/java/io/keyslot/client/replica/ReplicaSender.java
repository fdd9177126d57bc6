// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.entry.EntrySender;
import io.keyslot.client.entry.ReadSender;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Sends an application's plain reads to replicas, and everything else to the primary. */
final class ReplicaSender implements EntrySender {
    private final EntrySender sender;
    private final BoundedReads reads;

    ReplicaSender(EntrySender sender, BoundedReads reads) {
        this.sender = sender;
        this.reads = reads;
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(EncodedKey key, Command<R> command, Patience patience) {
        return sender.send(key, command, patience);
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> getAll(List<EncodedKey> keys, Patience patience) {
        return sender.getAll(keys, patience);
    }

    @Override
    public ReadSender reads() {
        return reads;
    }

    @Override
    public CompletableFuture<Optional<ReplicaState>> explainReads(EncodedKey key, Patience patience) {
        return reads.explain(key, patience).thenApply(Optional::of);
    }

    @Override
    public CompletableFuture<List<Reply<Boolean>>> putAll(List<Command.Put> puts, Patience patience) {
        return sender.putAll(puts, patience);
    }

    @Override
    public CompletableFuture<List<Reply<Boolean>>> removeAll(List<EncodedKey> keys, Patience patience) {
        return sender.removeAll(keys, patience);
    }

    @Override
    public void clearing() {
        sender.clearing();
    }

    @Override
    public void forget(List<EncodedKey> keys) {
        sender.forget(keys);
    }
}
