// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Peer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Makes a lost partition that still answers reject clients with older maps, and closes their connections. */
record ShutOut(PartitionMap map, MoveTime time) {
    /** The total time limit, because the partition is usually dead. */
    static final Duration LONGEST = Duration.ofSeconds(2);

    /** Tries once. Returns whether the partition has answered, and rejects clients with older maps from now on. */
    boolean isPublished(PartitionConnector partition) {
        Deadline deadline = Deadline.after(time.ticker(), LONGEST);
        partition.announce(map.slotMap());
        return await(Answers.reply(partition.connect()), deadline) instanceof Reply.Done<PartitionConnection> connected
                && isPublished(connected.value(), deadline);
    }

    private boolean isPublished(PartitionConnection connection, Deadline deadline) {
        Reply<Long> reply = await(
                connection.send(new FenceCommand.SetMinVersion(map.version()), Route.ANY, Patience.UNLIMITED),
                deadline);
        Reply<List<Peer>> peers =
                await(connection.send(new SlotTransfer.ListClients(), Route.ANY, Patience.UNLIMITED), deadline);
        if (peers instanceof Reply.Done<List<Peer>> known) {
            List<Long> late = known.value().stream()
                    .filter(peer -> peer.isBehind(map.version()))
                    .map(Peer::id)
                    .toList();
            Reply<Long> unused =
                    await(connection.send(new SlotTransfer.Dismiss(late), Route.ANY, Patience.UNLIMITED), deadline);
        }
        return reply instanceof Reply.Done<Long>;
    }

    private <R> Reply<R> await(CompletableFuture<Reply<R>> reply, Deadline deadline) {
        return time.waiter().await(reply, deadline, () -> Reply.unknown("no answer in time", null));
    }
}
