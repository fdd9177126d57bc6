// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.slot.SlotMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * One call about many items: split by partition, sent in parallel, joined in the order of the items. What fails for one
 * partition fails for its items only.
 *
 * <p>Items that were refused and may be accepted a moment later, for instance because their slot has moved, are split and
 * sent again, after a pause and within the deadline.
 */
final class BulkCall<I, A, R> {
    private final CommandSender sender;
    private final CurrentSlotMap slotMap;
    private final RetryPauses pauses;
    private final BulkKind<I, A, R> kind;
    private final List<I> items;
    private final Deadline deadline;
    private final AtomicReferenceArray<Reply<R>> replies;

    BulkCall(
            CommandSender sender,
            CurrentSlotMap slotMap,
            RetryPauses pauses,
            BulkKind<I, A, R> kind,
            List<I> items,
            Deadline deadline) {
        this.sender = sender;
        this.slotMap = slotMap;
        this.pauses = pauses;
        this.kind = kind;
        this.items = items;
        this.deadline = deadline;
        this.replies = new AtomicReferenceArray<>(items.size());
    }

    CompletableFuture<List<Reply<R>>> send() {
        return round(IntStream.range(0, items.size()).boxed().toList(), 1).thenApply(over -> joined());
    }

    private CompletableFuture<Void> round(List<Integer> positions, int attempts) {
        SlotMap map = slotMap.get();
        BulkSplit split = BulkSplit.of(positions, this::slotOf, map);
        split.unowned().forEach(position -> replies.set(position, unowned(slotOf(position), map)));
        CompletableFuture<?>[] chunks = split.chunks().stream()
                .map(chunk -> sendChunk(chunk, map.version()))
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(chunks).thenCompose(over -> nextRound(positions, attempts));
    }

    private CompletableFuture<Void> nextRound(List<Integer> positions, int attempts) {
        List<Integer> refused = positions.stream().filter(this::mayBeAccepted).toList();
        if (refused.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return pauses.after(attempts, deadline)
                .map(pause -> pause.thenCompose(over -> round(refused, attempts + 1)))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private boolean mayBeAccepted(int position) {
        return replies.get(position) instanceof Reply.Refused<R> refused
                && refused.refusal().isWorthAnotherAttempt();
    }

    private CompletableFuture<Void> sendChunk(BulkSplit.Chunk chunk, long version) {
        List<Integer> positions = chunk.positions();
        List<I> part = new ArrayList<>(positions.size());
        positions.forEach(position -> part.add(items.get(position)));
        Call<A> call = new Call<>(new Target.Part(chunk.partition(), version), kind.commandFor(part), deadline);
        return sender.send(call).thenAccept(reply -> store(positions, repliesFor(reply, positions.size())));
    }

    private void store(List<Integer> positions, List<Reply<R>> parts) {
        for (int i = 0; i < positions.size(); i++) {
            replies.set(positions.get(i), parts.get(i));
        }
    }

    private List<Reply<R>> repliesFor(Reply<A> reply, int count) {
        if (reply instanceof Reply.Done<A> done) {
            List<Reply<R>> parts = kind.repliesOf(done.value(), count);
            return parts.size() == count ? parts : Collections.nCopies(count, miscounted(parts.size(), count));
        }
        Reply<R> same = reply instanceof Reply.Refused<A> refused ? refused.as() : ((Reply.Unknown<A>) reply).as();
        return Collections.nCopies(count, same);
    }

    private int slotOf(int position) {
        return kind.keyOf(items.get(position)).slot();
    }

    private List<Reply<R>> joined() {
        List<Reply<R>> joined = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            joined.add(replies.get(i));
        }
        return joined;
    }

    private static <R> Reply<R> unowned(int slot, SlotMap map) {
        return Reply.refused(
                Refusal.UNAVAILABLE, "slot %d has no owner in slot map version %d".formatted(slot, map.version()));
    }

    private static <R> Reply<R> miscounted(int answered, int asked) {
        return Reply.unknown("%d answers for %d keys: none of them can be told apart".formatted(answered, asked), null);
    }
}
