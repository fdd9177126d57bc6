// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrafficSampler;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Counts answered calls by slot, from a sample. A call counts once, regardless of its attempts. Thread-safe. */
final class CountedCalls {
    private final TrafficSampler sampler;
    private final KeySlots slots;

    CountedCalls(TrafficSampler sampler, KeySlots slots) {
        this.sampler = sampler;
        this.slots = slots;
    }

    <R> void note(EncodedKey asked, Command<R> command, CompletableFuture<Reply<R>> reply) {
        if (sampler.chooses(asked.slot())) {
            // If the calling thread waits, the reply is known here.
            Reply<R> known = Futures.valueOf(reply);
            if (known != null) {
                count(command, known);
            } else {
                Futures.whenOver(reply, (late, failure) -> count(command, late));
            }
        }
    }

    private void count(Command<?> command, @Nullable Reply<?> reply) {
        EncodedKey key = CallSize.keyOf(command);
        if (key != null) {
            sampler.count(slots.slotOf(key), CallSize.of(command, reply), key);
        }
    }

    <I, R> void note(BulkKind<I, ?, R> kind, List<I> items, CompletableFuture<List<Reply<R>>> replies) {
        List<Reply<R>> known = Futures.valueOf(replies);
        if (known != null) {
            countAll(kind, items, known);
        } else {
            Futures.whenOver(replies, (late, failure) -> countAll(kind, items, late));
        }
    }

    private <I, R> void countAll(BulkKind<I, ?, R> kind, List<I> items, @Nullable List<Reply<R>> replies) {
        for (int i = 0; i < items.size(); i++) {
            I item = items.get(i);
            EncodedKey key = kind.keyOf(item);
            if (sampler.chooses(key.slot())) {
                Reply<R> reply = replies == null ? null : replies.get(i);
                sampler.count(slots.slotOf(key), CallSize.of(item, key, reply), key);
            }
        }
    }
}
