// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * One call about many items: split by partition, sent in parallel, joined in the order of the items. A failure at one
 * partition affects only its items.
 *
 * <p>Items that were refused but may soon be accepted, for example because their slot has moved, are split and sent
 * again after a pause, within the deadline. Where servers move single slots, commands whose answer does not tell items
 * apart name keys of one slot only, so that they are executed completely or not at all. {@link RetryingSender} below
 * retries whole commands by the same rule and pauses, so partitions do not wait for each other. This class retries
 * single items of an executed command, and items that must be split anew.
 */
final class BulkCall<I, A, R> {
    private final CommandSender sender;
    private final CurrentTopology topology;
    private final RetryPauses pauses;
    private final BulkKind<I, A, R> kind;
    private final List<I> items;
    private final Patience patience;

    /** Accessed by one thread at a time: the caller's, or the one with the last reply of a round. */
    private final List<Reply<R>> replies;

    BulkCall(
            CommandSender sender,
            CurrentTopology topology,
            RetryPauses pauses,
            BulkKind<I, A, R> kind,
            List<I> items,
            Patience patience) {
        this.sender = sender;
        this.topology = topology;
        this.pauses = pauses;
        this.kind = kind;
        this.items = items;
        this.patience = patience;
        this.replies = new ArrayList<>(Collections.nCopies(items.size(), Reply.unknown("no reply is there", null)));
    }

    private record Sent<I, A>(BulkSplit.Chunk<I> chunk, CompletableFuture<Reply<A>> reply) {}

    CompletableFuture<List<Reply<R>>> send() {
        int[] all = new int[items.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }
        return round(all, 1, patience);
    }

    private CompletableFuture<List<Reply<R>>> round(int[] positions, int attempts, Patience rounds) {
        List<Sent<I, A>> sent = sendAll(split(positions, topology.get()), rounds);
        if (areAnswered(sent, rounds)) {
            return next(sent, positions, attempts);
        }
        return CompletableFuture.allOf(sent.stream().map(Sent::reply).toArray(CompletableFuture<?>[]::new))
                .thenCompose(over -> next(sent, positions, attempts));
    }

    private List<BulkSplit.Chunk<I>> split(int[] positions, Topology now) {
        BulkSplit<I> split =
                new BulkSplit<>(kind.isAnsweredAsOne() && now.layout().isOfServers());
        for (int position : positions) {
            I item = items.get(position);
            EncodedKey key = kind.keyOf(item);
            Place place = kind.placeOf(key, now);
            if (place == null) {
                replies.set(position, Reply.refused(Refusal.UNAVAILABLE, now.whyUnavailable(key)));
            } else {
                split.add(item, position, place, key);
            }
        }
        return split.chunks();
    }

    /** The caller waits for the last command first, because the others are usually answered by then. */
    private List<Sent<I, A>> sendAll(List<BulkSplit.Chunk<I>> chunks, Patience rounds) {
        List<Sent<I, A>> sent = new ArrayList<>(chunks.size());
        Patience others = rounds.ahead();
        for (BulkSplit.Chunk<I> chunk : chunks) {
            boolean isLast = sent.size() == chunks.size() - 1;
            Target target = new Target.Part(chunk.place());
            Command<A> command = kind.commandFor(chunk.items());
            sent.add(new Sent<>(chunk, sender.send(new Call<>(target, command, isLast ? rounds : others))));
        }
        return sent;
    }

    private boolean areAnswered(List<Sent<I, A>> sent, Patience rounds) {
        for (Sent<I, A> each : sent) {
            rounds.await(each.reply());
            if (Futures.valueOf(each.reply()) == null) {
                return false;
            }
        }
        return true;
    }

    private CompletableFuture<List<Reply<R>>> next(List<Sent<I, A>> sent, int[] positions, int attempts) {
        sent.forEach(each -> store(each.chunk(), Objects.requireNonNull(Futures.valueOf(each.reply()))));
        int[] refused = refusedOf(positions);
        if (refused.length == 0) {
            return CompletableFuture.completedFuture(replies);
        }
        return pauses.again(
                attempts,
                replies.get(refused[0]),
                patience.deadline(),
                () -> round(refused, attempts + 1, patience.withoutWaiter()),
                () -> replies);
    }

    private int[] refusedOf(int[] positions) {
        int[] refused = new int[positions.length];
        int count = 0;
        for (int position : positions) {
            if (Attempts.isRefusedForNow(replies.get(position))) {
                refused[count++] = position;
            }
        }
        return Arrays.copyOf(refused, count);
    }

    private void store(BulkSplit.Chunk<I> chunk, Reply<A> reply) {
        int asked = chunk.size();
        if (!(reply instanceof Reply.Done<A> done)) {
            Reply<R> same = reply instanceof Reply.Refused<A> refused ? refused.as() : ((Reply.Unknown<A>) reply).as();
            storeSame(chunk, same);
            return;
        }
        int answered = kind.count(done.value(), asked);
        if (answered != asked) {
            storeSame(chunk, miscounted(answered, asked));
            return;
        }
        for (int i = 0; i < asked; i++) {
            replies.set(chunk.position(i), kind.replyAt(i, done.value()));
        }
    }

    private void storeSame(BulkSplit.Chunk<I> chunk, Reply<R> same) {
        for (int i = 0; i < chunk.size(); i++) {
            replies.set(chunk.position(i), same);
        }
    }

    private static <R> Reply<R> miscounted(int answered, int asked) {
        return Reply.unknown("%d answers for %d keys: none of them can be told apart".formatted(answered, asked), null);
    }
}
