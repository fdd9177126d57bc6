// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.partition.Reply;
import io.keyslot.slot.PartitionId;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Lets a follower see every command that has a partition to go to: all attempts and the pauses between them. */
final class TracingChannel implements Channel {
    private final Channel next;
    private final CommandFollower follower;
    private final CurrentTopology topology;

    TracingChannel(Channel next, CommandFollower follower, CurrentTopology topology) {
        this.next = next;
        this.follower = follower;
        this.topology = topology;
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        CommandFollower.Followed followed = follower.isFollowing() ? begin(call) : null;
        CompletableFuture<Reply<R>> reply = next.send(call);
        if (followed == null) {
            return reply;
        }
        Reply<R> known = Futures.valueOf(reply);
        if (known == null) {
            return reply.whenComplete((late, failure) -> followed.end(late));
        }
        followed.end(known);
        return reply;
    }

    private CommandFollower.@Nullable Followed begin(Call<?> call) {
        Topology now = topology.get();
        Topology.Place place = call.target().in(now);
        PartitionOptions partition = place == null ? null : find(place.id(), now);
        return partition == null ? null : follower.begin(partition, call.command());
    }

    private static @Nullable PartitionOptions find(PartitionId id, Topology now) {
        for (PartitionOptions partition : now.layout().partitions()) {
            if (partition.name().equals(id)) {
                return partition;
            }
        }
        return null;
    }
}
