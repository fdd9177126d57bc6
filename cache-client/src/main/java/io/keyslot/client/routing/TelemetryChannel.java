// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.LogPace;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports every command that has a partition, with all attempts and the pauses between them. */
record TelemetryChannel(Channel next, Telemetry telemetry, CurrentTopology topology, Ticker ticker, LogPace pace)
        implements Channel {
    private static final Logger LOG = LoggerFactory.getLogger(TelemetryChannel.class);

    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        // By the present map: later the slot may have no owner, and the command would go unreported.
        Topology now = topology.get();
        Topology.Place place = call.placeIn(now);
        return place == null ? next.send(call) : send(call, place.id(), now);
    }

    private <R> CompletableFuture<Reply<R>> send(Call<R> call, PartitionId partition, Topology now) {
        PartitionOptions asked = telemetry.isWithinCall() ? now.layout().optionsOf(partition) : null;
        Consumer<@Nullable Reply<?>> sent = asked == null ? null : telemetry.onSend(asked, call.command());
        long start = ticker.nanos();
        CompletableFuture<Reply<R>> reply = next.send(call);
        Reply<R> known = Futures.valueOf(reply);
        if (known == null) {
            return reply.whenComplete((late, failure) -> end(call, partition, sent, late, start));
        }
        end(call, partition, sent, known, start);
        return reply;
    }

    /** {@code reply} is null after a bug, which the channel above reports. */
    private void end(
            Call<?> call,
            PartitionId partition,
            @Nullable Consumer<@Nullable Reply<?>> sent,
            @Nullable Reply<?> reply,
            long start) {
        try {
            if (reply != null) {
                telemetry.onReply(partition, call.command(), reply, ticker.nanos() - start);
            }
        } catch (RuntimeException e) {
            // Telemetry must not turn a reply into a failure.
            if (pace.permits("observer failed")) {
                LOG.warn("An observer of commands failed", e);
            }
        }
        if (sent != null) {
            sent.accept(reply);
        }
    }
}
