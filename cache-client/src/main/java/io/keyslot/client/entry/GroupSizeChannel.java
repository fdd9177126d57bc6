// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.Call;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Checks the size of groups around commands that may enlarge them. */
public record GroupSizeChannel(Channel next, GroupWatch watch) implements Channel {
    @Override
    @SuppressWarnings("unchecked") // the type of the answer follows from the command's
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        if (call.command() instanceof BulkCommand.Put puts) {
            return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) putAll(puts, call.patience());
        }
        EncodedKey key = call.key();
        return key != null && mayEnlarge(key, call.command())
                ? watch.around(
                        GroupHome.of(key), call.patience(), waiting -> next.send(Call.of(key, call.command(), waiting)))
                : next.send(call);
    }

    private static boolean mayEnlarge(EncodedKey key, Command<?> command) {
        if (command instanceof GroupCommand group) {
            return group.steps().stream().anyMatch(GroupStep::mayEnlarge);
        }
        return key.isIndexed()
                && (command instanceof Command.Put
                        || (command instanceof Command.CompareAndSet set
                                && set.envelope().isEntry()));
    }

    /** If groups may not grow, entries are refused one by one, and therefore sent one by one. */
    private CompletableFuture<Reply<List<Reply<Boolean>>>> putAll(BulkCommand.Put puts, Patience patience) {
        if (!watch.refuses()) {
            watch.glance(puts.items(), patience.deadline());
            return next.send(Call.of(puts, patience));
        }
        CompletableFuture<List<Reply<Boolean>>> all =
                CompletableFuture.completedFuture(new ArrayList<>(puts.items().size()));
        for (Command.Put put : puts.items()) {
            all = all.thenCombine(send(Call.of(put.key(), put, patience)), GroupSizeChannel::appended);
        }
        return all.thenApply(Reply::done);
    }

    private static <T> List<T> appended(List<T> list, T next) {
        list.add(next);
        return list;
    }
}
