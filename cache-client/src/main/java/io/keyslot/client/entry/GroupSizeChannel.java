// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.Call;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import java.util.concurrent.CompletableFuture;

/** Checks the size of groups beside some of the commands that may enlarge them. */
public record GroupSizeChannel(Channel next, GroupWatch watch) implements Channel {
    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        EncodedKey key = call.key();
        if (call.command() instanceof BulkCommand.Put puts) {
            watch.sample(puts.items(), call.patience().deadline());
        } else if (key != null && mayEnlarge(key, call.command())) {
            watch.sample(GroupHome.of(key), call.patience().deadline());
        }
        return next.send(call);
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
}
