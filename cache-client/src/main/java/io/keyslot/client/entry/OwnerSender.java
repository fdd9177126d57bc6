// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends every command to the partition that owns the key's slot. */
public final class OwnerSender implements EntrySender, ReadSender {
    private final PartitionRouter router;

    public OwnerSender(PartitionRouter router) {
        this.router = router;
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(EncodedKey key, Command<R> command, Patience patience) {
        return router.send(key, command, patience);
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> getAll(List<EncodedKey> keys, Patience patience) {
        return router.getAll(keys, patience);
    }

    @Override
    public CompletableFuture<List<Reply<Boolean>>> putAll(List<Command.Put> puts, Patience patience) {
        return router.putAll(puts, patience);
    }

    @Override
    public CompletableFuture<List<Reply<Boolean>>> removeAll(List<EncodedKey> keys, Patience patience) {
        return router.removeAll(keys, patience);
    }

    @Override
    public ReadSender reads() {
        return this;
    }

    @Override
    public CompletableFuture<Reply<Lookup>> read(EncodedKey key, Patience patience) {
        return router.send(key, new Command.Get(key), patience);
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> readAll(List<EncodedKey> keys, Patience patience) {
        return router.getAll(keys, patience);
    }

    @Override
    public void forget(List<EncodedKey> keys) {
        router.forget(keys);
    }
}
