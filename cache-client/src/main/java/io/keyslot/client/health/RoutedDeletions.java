// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sends deletions by the routes of their slots; those of moving slots check a fence. */
final class RoutedDeletions implements DeletionSender {
    @FunctionalInterface
    interface Learner {
        void learnFrom(Command<?> command, @Nullable Reply<?> reply, PartitionConnection over);
    }

    private final Learner learner;
    private volatile SlotRoutes routes = SlotRoutes.FIXED;

    RoutedDeletions(Learner learner) {
        this.learner = learner;
    }

    void route(SlotRoutes newest) {
        routes = newest;
    }

    @Override
    public CompletableFuture<? extends Reply<?>> send(PendingDeletes.Batch batch, PartitionConnection over) {
        try {
            return batch instanceof PendingDeletes.Keys keys
                    ? sendByRoute(keys, over)
                    : sendOver(batch.command(), over, Route.ANY);
        } catch (RuntimeException e) {
            // An engine that breaks the port's contract must not fail the call that invalidates.
            return CompletableFuture.completedFuture(
                    Reply.unknown("unexpected " + e.getClass().getSimpleName(), e));
        }
    }

    private CompletableFuture<? extends Reply<?>> sendByRoute(PendingDeletes.Keys batch, PartitionConnection over) {
        SlotRoutes now = routes;
        Map<Route, List<EncodedKey>> byRoute = new LinkedHashMap<>();
        batch.keys()
                .forEach(key -> byRoute.computeIfAbsent(now.of(key), first -> new ArrayList<>())
                        .add(key));
        CompletableFuture<Reply<Long>> whole = CompletableFuture.completedFuture(Reply.done(0L));
        for (Map.Entry<Route, List<EncodedKey>> part : byRoute.entrySet()) {
            whole = whole.thenCombine(
                    sendOver(new Command.RemoveAll(part.getValue()), over, part.getKey()),
                    (before, reply) -> before instanceof Reply.Done ? reply : before);
        }
        return whole;
    }

    private <R> CompletableFuture<Reply<R>> sendOver(Command<R> command, PartitionConnection over, Route route) {
        CompletableFuture<Reply<R>> reply = over.send(command, route, Patience.UNLIMITED);
        return reply.whenComplete((late, failure) -> learner.learnFrom(command, late, over));
    }
}
