// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Checks the size of groups when it sends commands that may enlarge them. */
public final class WatchedSender implements EntrySender {
    private final EntrySender sender;
    private final GroupWatch watch;

    public WatchedSender(EntrySender sender, GroupWatch watch) {
        this.sender = sender;
        this.watch = watch;
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(EncodedKey key, Command<R> command, Patience patience) {
        return mayEnlarge(key, command)
                ? watch.around(GroupHome.of(key), patience, waiting -> sender.send(key, command, waiting))
                : sender.send(key, command, patience);
    }

    private static boolean mayEnlarge(EncodedKey key, Command<?> command) {
        if (command instanceof GroupCommand group) {
            return group.steps().stream().anyMatch(GroupStep::mayEnlarge);
        }
        return key.effects().areIndexed()
                && (command instanceof Command.Put
                        || (command instanceof Command.CompareAndSet set
                                && set.envelope().isEntry()));
    }

    /** If the limits refuse larger groups, entries are sent one by one, so that each can be refused. */
    @Override
    public CompletableFuture<List<Reply<Boolean>>> putAll(List<Command.Put> puts, Patience patience) {
        if (!watch.refuses()) {
            watch.glance(puts, patience.deadline());
            return sender.putAll(puts, patience);
        }
        CompletableFuture<List<Reply<Boolean>>> all = CompletableFuture.completedFuture(new ArrayList<>(puts.size()));
        for (Command.Put put : puts) {
            all = all.thenCombine(send(put.key(), put, patience), WatchedSender::appended);
        }
        return all;
    }

    private static <T> List<T> appended(List<T> list, T next) {
        list.add(next);
        return list;
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> getAll(List<EncodedKey> keys, Patience patience) {
        return sender.getAll(keys, patience);
    }

    @Override
    public CompletableFuture<List<Reply<Boolean>>> removeAll(List<EncodedKey> keys, Patience patience) {
        return sender.removeAll(keys, patience);
    }

    @Override
    public ReadSender reads() {
        return sender.reads();
    }

    @Override
    public void forget(List<EncodedKey> keys) {
        sender.forget(keys);
    }
}
