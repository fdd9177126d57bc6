// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Splits bulk commands by partition, sends the parts in parallel, and joins the replies in the order of the items. A failure of one
 * partition affects only its items.
 *
 * <p>Items that were refused and may be accepted a moment later, for instance because their slot has moved, are split and sent
 * again after a pause, within the deadline. On a cluster, a command whose answer does not tell its items apart names keys of one
 * slot only. {@link RetryChannel}, further down, repeats whole parts by the same rule; what remains here are single items of a
 * part that was executed, and items that have to be split anew.
 */
record BulkChannel(Channel next, CurrentTopology topology, RetryPauses pauses) implements Channel {
    /** A longer command would delay the partition's other clients too much. */
    static final int MOST_KEYS_OF_A_COMMAND = 500;

    @Override
    @SuppressWarnings("unchecked") // a bulk command is answered with one reply for each item
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        return call.command() instanceof BulkCommand<?, ?, ?> bulk
                ? (CompletableFuture<Reply<R>>) (CompletableFuture<?>) split(bulk, call.patience())
                : next.send(call);
    }

    private <I, A, R> CompletableFuture<Reply<List<Reply<R>>>> split(BulkCommand<I, A, R> bulk, Patience patience) {
        return new BulkCall<>(bulk, patience).send();
    }

    private final class BulkCall<I, A, R> {
        private final BulkCommand<I, A, R> bulk;
        private final List<I> items;
        private final Patience patience;

        /** Changed by one thread at a time: the caller, or the one that completes the last reply of a round. */
        private final List<Reply<R>> replies;

        BulkCall(BulkCommand<I, A, R> bulk, Patience patience) {
            this.bulk = bulk;
            this.items = bulk.items();
            this.patience = patience;
            this.replies = new ArrayList<>(Collections.nCopies(items.size(), Reply.unknown("no reply is there", null)));
        }

        CompletableFuture<Reply<List<Reply<R>>>> send() {
            int[] all = new int[items.size()];
            for (int i = 0; i < all.length; i++) {
                all[i] = i;
            }
            return round(all, 1, patience);
        }

        private CompletableFuture<Reply<List<Reply<R>>>> round(int[] positions, int attempts, Patience rounds) {
            List<Chunk<I, A>> sent = split(positions, topology.get());
            sendAll(sent, rounds);
            if (areAnswered(sent, rounds)) {
                return join(sent, positions, attempts);
            }
            return CompletableFuture.allOf(
                            sent.stream().map(chunk -> chunk.reply).toArray(CompletableFuture<?>[]::new))
                    .thenCompose(over -> join(sent, positions, attempts));
        }

        private List<Chunk<I, A>> split(int[] positions, Topology now) {
            boolean isRemoval = bulk instanceof BulkCommand.Remove;
            // By slot, or by place: a topology has one instance of each place, so places are compared by identity.
            boolean isBySlot = isRemoval && now.layout().isOfServers();
            Map<Object, Chunk<I, A>> filling = isBySlot ? new HashMap<>() : new IdentityHashMap<>();
            List<Chunk<I, A>> chunks = new ArrayList<>();
            for (int position : positions) {
                I item = items.get(position);
                EncodedKey key = bulk.keyOf(item);
                Topology.Place place = isRemoval ? now.storeOf(key) : now.placeOf(key);
                if (place == null) {
                    replies.set(position, Reply.refused(Refusal.UNAVAILABLE, now.whyUnavailable(key)));
                    continue;
                }
                Object together = isBySlot ? key.slot() : place;
                Chunk<I, A> chunk = filling.get(together);
                if (chunk == null || chunk.items.size() == MOST_KEYS_OF_A_COMMAND) {
                    chunk = new Chunk<>(place);
                    filling.put(together, chunk);
                    chunks.add(chunk);
                }
                chunk.add(item, position);
            }
            return chunks;
        }

        /** When the last one that was sent is answered, the others mostly are as well: the caller waits for that first. */
        private void sendAll(List<Chunk<I, A>> chunks, Patience rounds) {
            Patience others = rounds.ahead();
            for (int i = 0; i < chunks.size(); i++) {
                Chunk<I, A> chunk = chunks.get(i);
                boolean isLast = i == chunks.size() - 1;
                chunk.reply = next.send(Call.of(chunk.place, bulk.part(chunk.items), isLast ? rounds : others));
            }
        }

        /** Returns whether all replies are there; waits for them, within the deadline, if the caller would. */
        private boolean areAnswered(List<Chunk<I, A>> sent, Patience rounds) {
            for (Chunk<I, A> chunk : sent) {
                rounds.await(chunk.reply);
                if (Futures.valueOf(chunk.reply) == null) {
                    return false;
                }
            }
            return true;
        }

        private CompletableFuture<Reply<List<Reply<R>>>> join(List<Chunk<I, A>> sent, int[] positions, int attempts) {
            sent.forEach(chunk -> store(chunk, Objects.requireNonNull(Futures.valueOf(chunk.reply))));
            int[] refused = refusedOf(positions);
            if (refused.length == 0) {
                return CompletableFuture.completedFuture(Reply.done(replies));
            }
            return pauses.again(
                    attempts,
                    replies.get(refused[0]),
                    patience.deadline(),
                    () -> round(refused, attempts + 1, patience.withoutWaiter()),
                    () -> Reply.done(replies));
        }

        private int[] refusedOf(int[] positions) {
            int[] refused = new int[positions.length];
            int count = 0;
            for (int position : positions) {
                if (RetryChannel.Attempts.isRefusedForNow(replies.get(position))) {
                    refused[count++] = position;
                }
            }
            return Arrays.copyOf(refused, count);
        }

        private void store(Chunk<I, A> chunk, Reply<A> reply) {
            int asked = chunk.items.size();
            if (!(reply instanceof Reply.Done<A> done)) {
                storeSame(chunk, reply.as());
                return;
            }
            int answered = bulk.count(done.value(), asked);
            if (answered != asked) {
                storeSame(
                        chunk,
                        Reply.unknown(
                                "%d answers for %d keys: none of them can be told apart".formatted(answered, asked),
                                null));
                return;
            }
            for (int i = 0; i < asked; i++) {
                replies.set(chunk.positions[i], bulk.replyAt(i, done.value()));
            }
        }

        private void storeSame(Chunk<I, A> chunk, Reply<R> same) {
            for (int i = 0; i < chunk.items.size(); i++) {
                replies.set(chunk.positions[i], same);
            }
        }
    }

    /** Items of a bulk call for one place or slot, with their positions in the call. For use by one thread. */
    private static final class Chunk<I, A> {
        private static final int USUAL = 40;
        private static final CompletableFuture<?> UNSENT = new CompletableFuture<>();

        private final Topology.Place place;
        private final List<I> items = new ArrayList<>(USUAL);
        private int[] positions = new int[USUAL];

        @SuppressWarnings("unchecked") // it never completes
        private CompletableFuture<Reply<A>> reply = (CompletableFuture<Reply<A>>) UNSENT;

        private Chunk(Topology.Place place) {
            this.place = place;
        }

        private void add(I item, int position) {
            int size = items.size();
            if (size == positions.length) {
                positions = Arrays.copyOf(positions, 2 * size);
            }
            positions[size] = position;
            items.add(item);
        }
    }
}
