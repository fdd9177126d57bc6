// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.time.Futures;
import io.keyslot.client.topology.CurrentTopology;
import io.keyslot.client.topology.Topology;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Hands a command to the partition that owns its slot. If it was routed by a slot map that has been replaced meanwhile,
 * it is routed again at once: that is not a failed attempt.
 */
final class RoutingSender implements CommandSender {
    /** The slot map does not change more often than this while one command is under way. */
    static final int MOST_REROUTES = 4;

    private final CurrentTopology topology;

    RoutingSender(CurrentTopology topology) {
        this.topology = topology;
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        return route(call, MOST_REROUTES);
    }

    private <R> CompletableFuture<Reply<R>> route(Call<R> call, int reroutesLeft) {
        Topology now = topology.get();
        SlotMap map = now.slotMap();
        Target target = call.target();
        Optional<PartitionId> owner = target.in(map);
        Partition partition = owner.map(now::partition).orElse(null);
        if (partition == null) {
            return CompletableFuture.completedFuture(nobody(owner, target, map));
        }
        CompletableFuture<Reply<R>> reply = partition.send(call.command(), target.version(map), call.patience());
        if (!target.isRoutable() || reroutesLeft == 0) {
            return reply;
        }
        return Futures.valueOf(reply) instanceof Reply.Done
                ? reply
                : reply.thenCompose(
                        ended -> isOutdated(ended, map) ? route(call.withoutWaiter(), reroutesLeft - 1) : reply);
    }

    private boolean isOutdated(Reply<?> reply, SlotMap used) {
        return reply instanceof Reply.Refused<?> refused
                && refused.refusal() == Refusal.STALE_ROUTE
                && topology.get().slotMap().version() > used.version();
    }

    private static <R> Reply<R> nobody(Optional<PartitionId> owner, Target target, SlotMap map) {
        if (target.version(map) < map.version()) {
            return Reply.refused(
                    Refusal.STALE_ROUTE, target.describe() + " has left with slot map version " + map.version());
        }
        String detail = owner.isEmpty()
                ? "%s has no owner in slot map version %d".formatted(target.describe(), map.version())
                : "partition %s, asked for %s by slot map version %d, is not configured in this process"
                        .formatted(owner.get(), target.describe(), map.version());
        return Reply.refused(Refusal.UNAVAILABLE, detail);
    }
}
