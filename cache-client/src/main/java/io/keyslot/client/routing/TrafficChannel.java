// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrafficSampler;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Samples the traffic of slots. A call counts once, however often it is sent.
 *
 * <p>{@code slots} maps a key to its slot.
 */
record TrafficChannel(Channel next, TrafficSampler sampler, KeySlots slots, Ticker ticker) implements Channel {
    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        EncodedKey key = call.key();
        boolean isCounted = key == null ? call.command() instanceof BulkCommand : sampler.chooses();
        if (!isCounted) {
            return next.send(call);
        }
        long start = ticker.nanos();
        CompletableFuture<Reply<R>> reply = next.send(call);
        // A call whose thread waits has its reply by now.
        Reply<R> known = Futures.valueOf(reply);
        if (known != null) {
            count(call.command(), known, start);
        } else {
            Futures.whenOver(reply, (late, failure) -> count(call.command(), late, start));
        }
        return reply;
    }

    private void count(Command<?> command, @Nullable Reply<?> reply, long start) {
        long nanos = ticker.nanos() - start;
        if (command instanceof BulkCommand<?, ?, ?> bulk) {
            countAll(bulk, reply, nanos);
            return;
        }
        EncodedKey key = CallSize.keyOf(command);
        if (key != null) {
            sampler.count(slots.slotOf(key), CallSize.of(command, reply), key, nanos);
        }
    }

    private <I> void countAll(BulkCommand<I, ?, ?> bulk, @Nullable Reply<?> reply, long nanos) {
        List<?> replies = reply instanceof Reply.Done<?> done && done.value() instanceof List<?> all ? all : null;
        List<I> items = bulk.items();
        for (int i = sampler.firstChosen(); i < items.size(); i += TrafficSampler.ONE_IN) {
            EncodedKey key = bulk.keyOf(items.get(i));
            Reply<?> one = replies == null ? null : (Reply<?>) replies.get(i);
            sampler.count(slots.slotOf(key), CallSize.of(items.get(i), key, one), key, nanos);
        }
    }
}
