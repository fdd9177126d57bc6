// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.register.Acceptor;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.AcceptorRequest;
import io.keyslot.client.time.Patience;
import io.keyslot.slot.PartitionId;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a client as those who agree on the map: over the connections that everything else uses.
 *
 * @param partitions gives the partition of that name, null if there is none to be asked
 * @param namespace whose map it is
 */
public record PartitionAcceptors(Function<PartitionId, @Nullable Partition> partitions, String namespace)
        implements Function<PartitionId, Acceptor> {
    @Override
    public Acceptor apply(PartitionId id) {
        return request -> ask(id, request);
    }

    private CompletableFuture<AcceptorAnswer> ask(PartitionId id, AcceptorRequest request) {
        Partition partition = partitions.apply(id);
        return partition == null
                ? CompletableFuture.completedFuture(new AcceptorAnswer.Silent("this client knows no " + id))
                : partition
                        .send(new RegisterCommand(namespace, request), Route.ANY, Patience.UNLIMITED)
                        .thenApply(PartitionAcceptors::answer);
    }

    private static AcceptorAnswer answer(Reply<AcceptorAnswer> reply) {
        if (reply instanceof Reply.Done<AcceptorAnswer> done) {
            return done.value();
        }
        return new AcceptorAnswer.Silent(
                reply instanceof Reply.Refused<AcceptorAnswer> refused ? refused.detail() : reply.toString());
    }
}
