// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends a command to the partition that owns its slot. A command routed by a slot map that was replaced meanwhile is
 * routed again at once; that is not a failed attempt.
 */
record OwnerChannel(CurrentTopology topology, ColdKeys cold) implements Channel {
    /** The slot map does not change more often than this while one command is under way. */
    static final int MOST_REROUTES = 4;

    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        return route(call, MOST_REROUTES);
    }

    private <R> CompletableFuture<Reply<R>> route(Call<R> call, int reroutesLeft) {
        Topology now = topology.get();
        Topology.Place place = call.placeIn(now);
        Partition partition = place == null ? null : place.partition();
        if (place == null || partition == null) {
            return CompletableFuture.completedFuture(none(call, place, now));
        }
        Topology.Former former = place.former();
        CompletableFuture<Reply<R>> reply = former == null
                ? partition.send(call.command(), place.route(), call.patience())
                : cold.send(call.command(), partition, place, former, call.patience());
        if (!call.isRoutable() || reroutesLeft == 0) {
            return reply;
        }
        return Futures.valueOf(reply) instanceof Reply.Done
                ? reply
                : reply.thenCompose(
                        ended -> isOutdated(ended, now) ? route(call.withoutWaiter(), reroutesLeft - 1) : reply);
    }

    private boolean isOutdated(Reply<?> reply, Topology used) {
        return reply instanceof Reply.Refused<?> refused
                && refused.refusal().isOfRoute()
                && topology.get().version() > used.version();
    }

    private static <R> Reply<R> none(Call<R> call, Topology.@Nullable Place place, Topology now) {
        long version = now.version();
        if (place == null) {
            EncodedKey key = call.key();
            return Reply.refused(
                    Refusal.UNAVAILABLE,
                    key == null ? call.destination() + " are not asked at once" : now.whyUnavailable(key));
        }
        return place.route().mapVersion() < version
                ? Reply.refused(Refusal.STALE_ROUTE, call.destination() + " has left with slot map version " + version)
                : Reply.refused(
                        Refusal.UNAVAILABLE,
                        "partition %s, asked for %s by slot map version %d, is not configured in this process"
                                .formatted(place.id(), call.destination(), version));
    }
}
