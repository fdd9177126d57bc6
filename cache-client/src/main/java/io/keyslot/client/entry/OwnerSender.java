// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Lookup;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.time.Deadline;
import io.keyslot.client.time.Waiter;
import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends every command to the partition that owns the key's slot: nobody else has the entry. */
public final class OwnerSender implements EntrySender, ReadSender {
    private final PartitionRouter router;

    public OwnerSender(PartitionRouter router) {
        this.router = router;
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(EncodedKey key, Command<R> command, Deadline deadline) {
        return router.send(key.slot(), command, deadline);
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(EncodedKey key, Command<R> command, Deadline deadline, Waiter waiter) {
        return router.send(key.slot(), command, deadline, waiter);
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> getAll(List<EncodedKey> keys, Deadline deadline) {
        return router.getAll(keys, deadline);
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> getAll(List<EncodedKey> keys, Deadline deadline, Waiter waiter) {
        return router.getAll(keys, deadline, waiter);
    }

    @Override
    public CompletableFuture<List<Reply<Boolean>>> putAll(List<Command.Put> puts, Deadline deadline) {
        return router.putAll(puts, deadline);
    }

    @Override
    public CompletableFuture<List<Reply<Boolean>>> putAll(List<Command.Put> puts, Deadline deadline, Waiter waiter) {
        return router.putAll(puts, deadline, waiter);
    }

    @Override
    public CompletableFuture<List<Reply<Boolean>>> removeAll(List<EncodedKey> keys, Deadline deadline) {
        return router.removeAll(keys, deadline);
    }

    @Override
    public CompletableFuture<List<Reply<Boolean>>> removeAll(List<EncodedKey> keys, Deadline deadline, Waiter waiter) {
        return router.removeAll(keys, deadline, waiter);
    }

    @Override
    public ReadSender reads() {
        return this;
    }

    @Override
    public ReadSender readsAt(PartitionId partition) {
        return this;
    }

    @Override
    public CompletableFuture<Reply<Lookup>> read(EncodedKey key, Deadline deadline) {
        return router.send(key.slot(), new Command.Get(key), deadline);
    }

    @Override
    public CompletableFuture<Reply<Lookup>> read(EncodedKey key, Deadline deadline, Waiter waiter) {
        return router.send(key.slot(), new Command.Get(key), deadline, waiter);
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> readAll(List<EncodedKey> keys, Deadline deadline) {
        return router.getAll(keys, deadline);
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> readAll(List<EncodedKey> keys, Deadline deadline, Waiter waiter) {
        return router.getAll(keys, deadline, waiter);
    }

    @Override
    public void forget(List<EncodedKey> keys) {
        router.forget(keys);
    }
}
