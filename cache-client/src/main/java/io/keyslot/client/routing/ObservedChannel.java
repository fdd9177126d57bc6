// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.LogPace;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.slot.PartitionId;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells an observer of every command that had a partition to go to, and how long its caller waited. */
final class ObservedChannel implements Channel {
    private static final Logger LOG = LoggerFactory.getLogger(ObservedChannel.class);

    private final Channel next;
    private final CommandObserver observer;
    private final CurrentTopology topology;
    private final Ticker ticker;
    private final LogPace pace;

    ObservedChannel(Channel next, CommandObserver observer, CurrentTopology topology, Ticker ticker) {
        this.next = next;
        this.observer = observer;
        this.topology = topology;
        this.ticker = ticker;
        this.pace = new LogPace(ticker);
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        // By the present map: later the slot may have no owner, and the command would go unreported.
        Topology.Place place = call.target().in(topology.get());
        return place == null ? next.send(call) : sendObserved(call, place.id());
    }

    private <R> CompletableFuture<Reply<R>> sendObserved(Call<R> call, PartitionId partition) {
        long start = ticker.nanos();
        CompletableFuture<Reply<R>> reply = next.send(call);
        Reply<R> known = Futures.valueOf(reply);
        if (known == null) {
            return reply.whenComplete((late, failure) -> tell(partition, call.command(), late, start));
        }
        tell(partition, call.command(), known, start);
        return reply;
    }

    private void tell(PartitionId partition, Command<?> command, @Nullable Reply<?> reply, long start) {
        if (reply == null) {
            return; // the layer above reports this bug
        }
        try {
            observer.onReply(partition, command, reply, ticker.nanos() - start);
        } catch (RuntimeException e) {
            // An observer must not turn a reply into a failure.
            if (pace.permits("observer failed")) {
                LOG.warn("An observer of commands failed", e);
            }
        }
    }
}
