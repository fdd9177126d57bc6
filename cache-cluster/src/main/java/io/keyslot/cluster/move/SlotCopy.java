// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Guard;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Piece;
import io.keyslot.client.stored.Slices;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Copies what is under physical keys from one side to the other, in batches. While one is stored the next is read. The order does
 * not matter: nobody reads the target before all of it is there. For one thread.
 */
final class SlotCopy {
    /** How many keys the source is asked to look at for one page. */
    private static final int PAGE = 2_000;

    private final Side source;
    private final Side target;
    private final Guard importing;
    private final MoveTime time;
    private final Consumer<Batch> copied;

    /**
     * @param importing how the slots are fenced at the target
     * @param copied is told of each batch that is stored, and may wait before the next one
     */
    SlotCopy(Side source, Side target, Guard importing, MoveTime time, Consumer<Batch> copied) {
        this.source = source;
        this.target = target;
        this.importing = importing;
        this.time = time;
        this.copied = copied;
    }

    /** How much was stored at once. */
    record Batch(long keys, long bytes) {}

    MoveTime time() {
        return time;
    }

    /** Copies all keys that are wanted, in one pass over the source. */
    void all(Predicate<EncodedKey> wanted) {
        pass(source, wanted, this::keys);
    }

    /**
     * Hands on all keys of a side that are wanted, as many at a time as one command may have, for a round trip costs as much with a
     * few of them. Each page is asked for while the one before is used.
     */
    static void pass(Side side, Predicate<EncodedKey> wanted, Consumer<List<EncodedKey>> use) {
        List<EncodedKey> waiting = new ArrayList<>();
        SlotTransfer.Keys ask = new SlotTransfer.Keys(ScanPage.START, wanted, PAGE);
        ScanPage page = side.ask(ask);
        while (!page.isLast()) {
            SlotTransfer.Keys next = new SlotTransfer.Keys(page.next(), wanted, PAGE);
            CompletableFuture<Reply<ScanPage>> sent = side.send(next);
            waiting.addAll(page.keys());
            useFullOnes(waiting, use);
            page = side.take(next, sent);
        }
        waiting.addAll(page.keys());
        useFullOnes(waiting, use);
        if (!waiting.isEmpty()) {
            use.accept(List.copyOf(waiting));
        }
    }

    private static void useFullOnes(List<EncodedKey> waiting, Consumer<List<EncodedKey>> use) {
        while (waiting.size() >= SlotTransfer.MOST_KEYS) {
            List<EncodedKey> full = waiting.subList(0, SlotTransfer.MOST_KEYS);
            use.accept(List.copyOf(full));
            full.clear();
        }
    }

    /** Copies what is under these keys. */
    void keys(List<EncodedKey> keys) {
        for (List<EncodedKey> some : Slices.of(keys, SlotTransfer.MOST_KEYS)) {
            slice(some);
        }
    }

    private void slice(List<EncodedKey> keys) {
        List<EncodedKey> left = keys;
        Export next = ask(left);
        while (!left.isEmpty()) {
            List<Piece> pieces = source.take(next.command(), next.sent());
            long askedAt = next.at();
            left = left.subList(pieces.size(), left.size());
            next = ask(left);
            store(pieces, askedAt);
            for (Piece piece : pieces) {
                rest(piece);
            }
        }
    }

    private record Export(SlotTransfer.Export command, CompletableFuture<Reply<List<Piece>>> sent, long at) {}

    private Export ask(List<EncodedKey> keys) {
        SlotTransfer.Export command = new SlotTransfer.Export(keys);
        long now = time.nanos();
        return new Export(
                command,
                keys.isEmpty() ? CompletableFuture.completedFuture(Reply.done(List.of())) : source.send(command),
                now);
    }

    private void rest(Piece first) {
        Piece piece = first;
        while (!piece.isLast()) {
            long askedAt = time.nanos();
            piece = source.ask(new SlotTransfer.ExportRest(piece.key(), piece.form(), piece.next()));
            store(List.of(piece), askedAt);
        }
    }

    /** What the source says of how long something is kept was so when it was asked, at the earliest. */
    private void store(List<Piece> pieces, long askedAt) {
        long millis = time.millisSince(askedAt);
        List<Piece> now = new ArrayList<>(pieces.size());
        long bytes = 0;
        for (Piece piece : pieces) {
            now.add(piece.after(millis));
            bytes += piece.sizeBytes();
        }
        if (!target.ask(new SlotTransfer.Import(importing, now))) {
            throw new MoveTrouble(
                    MoveTrouble.Kind.LOST, target + " does not wait for these slots of this coordinator any more");
        }
        copied.accept(new Batch(now.stream().filter(Piece::isLast).count(), bytes));
    }

    /** Removes all keys of a side that are wanted. */
    static void purge(Side side, Guard guard, Predicate<EncodedKey> wanted) {
        pass(side, wanted, keys -> {
            if (!side.ask(new SlotTransfer.Purge(guard, keys))) {
                throw new MoveTrouble(
                        MoveTrouble.Kind.LOST, side + " does not fence these slots for this coordinator any more");
            }
        });
    }
}
