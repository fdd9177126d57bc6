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

/**
 * Samples the traffic of slots. A call counts once, however often it is sent.
 *
 * <p>{@code slots} maps a key to its slot.
 */
record TrafficChannel(Channel next, TrafficSampler sampler, KeySlots slots, Ticker ticker) implements Channel {
    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        EncodedKey key = call.key();
        boolean isBulk = call.command() instanceof BulkCommand;
        if (!isBulk && (key == null || !sampler.chooses())) {
            return next.send(call);
        }
        long start = ticker.nanos();
        CompletableFuture<Reply<R>> reply = next.send(call);
        // A call whose thread waits has its reply by now.
        if (reply.isDone()) {
            count(call.command(), start);
        } else {
            Futures.whenOver(reply, (late, failure) -> count(call.command(), start));
        }
        return reply;
    }

    private void count(Command<?> command, long start) {
        long nanos = ticker.nanos() - start;
        if (command instanceof BulkCommand<?, ?, ?> bulk) {
            bulk.keys().stream().filter(key -> sampler.chooses()).forEach(key -> count(key, nanos));
            return;
        }
        List<EncodedKey> keys = command instanceof Command.OfKey<?> ofKey ? List.of(ofKey.key()) : command.keys();
        if (!keys.isEmpty()) {
            count(keys.get(0), nanos);
        }
    }

    private void count(EncodedKey key, long nanos) {
        sampler.count(slots.slotOf(key), key, nanos);
    }
}
