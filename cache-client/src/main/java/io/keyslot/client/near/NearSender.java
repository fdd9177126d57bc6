// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.entry.EntrySender;
import io.keyslot.client.entry.ReadSender;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Keeps the results of an application's plain reads. Other commands are sent unchanged. */
final class NearSender implements EntrySender {
    private final EntrySender sender;
    private final NearReads reads;

    NearSender(EntrySender sender, NearReads reads) {
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
