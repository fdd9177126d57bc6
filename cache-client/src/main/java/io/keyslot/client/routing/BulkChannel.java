// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
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

    /** The items that one partition is asked about, and its reply. */
    private record Sent<I, A>(BulkSplit.Chunk<I> chunk, CompletableFuture<Reply<A>> reply) {}

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
            List<Sent<I, A>> sent = sendAll(split(positions, topology.get()), rounds);
            if (areAnswered(sent, rounds)) {
                return join(sent, positions, attempts);
            }
            return CompletableFuture.allOf(sent.stream().map(Sent::reply).toArray(CompletableFuture<?>[]::new))
                    .thenCompose(over -> join(sent, positions, attempts));
        }

        private List<BulkSplit.Chunk<I>> split(int[] positions, Topology now) {
            BulkSplit<I> split =
                    new BulkSplit<>(bulk.isAnsweredAsOne() && now.layout().isOfServers());
            for (int position : positions) {
                I item = items.get(position);
                EncodedKey key = bulk.keyOf(item);
                Topology.Place place = bulk.includesUnplaced() ? now.storeOf(key) : now.placeOf(key);
                if (place == null) {
                    replies.set(position, Reply.refused(Refusal.UNAVAILABLE, now.whyUnavailable(key)));
                } else {
                    split.add(item, position, place, key);
                }
            }
            return split.chunks();
        }

        /** When the last one that was sent is answered, the others mostly are as well: the caller waits for that first. */
        private List<Sent<I, A>> sendAll(List<BulkSplit.Chunk<I>> chunks, Patience rounds) {
            List<Sent<I, A>> sent = new ArrayList<>(chunks.size());
            Patience others = rounds.ahead();
            for (BulkSplit.Chunk<I> chunk : chunks) {
                boolean isLast = sent.size() == chunks.size() - 1;
                Target target = new Target.Part(chunk.place());
                Command<A> command = bulk.part(chunk.items());
                sent.add(new Sent<>(chunk, next.send(new Call<>(target, command, isLast ? rounds : others))));
            }
            return sent;
        }

        /** Returns whether all replies are there; waits for them, within the deadline, if the caller would. */
        private boolean areAnswered(List<Sent<I, A>> sent, Patience rounds) {
            for (Sent<I, A> each : sent) {
                rounds.await(each.reply());
                if (Futures.valueOf(each.reply()) == null) {
                    return false;
                }
            }
            return true;
        }

        private CompletableFuture<Reply<List<Reply<R>>>> join(List<Sent<I, A>> sent, int[] positions, int attempts) {
            sent.forEach(each -> store(each.chunk(), Objects.requireNonNull(Futures.valueOf(each.reply()))));
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

        private void store(BulkSplit.Chunk<I> chunk, Reply<A> reply) {
            int asked = chunk.size();
            if (!(reply instanceof Reply.Done<A> done)) {
                storeSame(chunk, reply.as());
                return;
            }
            int answered = bulk.count(done.value(), asked);
            if (answered != asked) {
                storeSame(chunk, miscounted(answered, asked));
                return;
            }
            for (int i = 0; i < asked; i++) {
                replies.set(chunk.position(i), bulk.replyAt(i, done.value()));
            }
        }

        private void storeSame(BulkSplit.Chunk<I> chunk, Reply<R> same) {
            for (int i = 0; i < chunk.size(); i++) {
                replies.set(chunk.position(i), same);
            }
        }

        private static <R> Reply<R> miscounted(int answered, int asked) {
            return Reply.unknown(
                    "%d answers for %d keys: none of them can be told apart".formatted(answered, asked), null);
        }
    }

    /** The items of a bulk call, grouped by place or slot. For use by one thread. */
    private static final class BulkSplit<I> {
        /** A longer command would delay the partition's other clients too much. */
        static final int MOST_KEYS_OF_A_COMMAND = 500;

        private final boolean isBySlot;

        /** By slot or by place. A topology has one instance of each place, so places are compared by identity. */
        private final Map<Object, Chunk<I>> filling;

        private final List<Chunk<I>> chunks = new ArrayList<>();

        BulkSplit(boolean isBySlot) {
            this.isBySlot = isBySlot;
            this.filling = isBySlot ? new HashMap<>() : new IdentityHashMap<>();
        }

        void add(I item, int position, Topology.Place owner, EncodedKey key) {
            Object together = isBySlot ? key.slot() : owner;
            Chunk<I> chunk = filling.get(together);
            if (chunk == null || chunk.size() == MOST_KEYS_OF_A_COMMAND) {
                chunk = new Chunk<>(owner);
                filling.put(together, chunk);
                chunks.add(chunk);
            }
            chunk.add(item, position);
        }

        List<Chunk<I>> chunks() {
            return chunks;
        }

        static final class Chunk<I> {
            private static final int USUAL = 40;

            private final Topology.Place place;
            private final List<I> items = new ArrayList<>(USUAL);
            private int[] positions = new int[USUAL];

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

            Topology.Place place() {
                return place;
            }

            List<I> items() {
                return items;
            }

            int size() {
                return items.size();
            }

            int position(int i) {
                return positions[i];
            }
        }
    }
}
