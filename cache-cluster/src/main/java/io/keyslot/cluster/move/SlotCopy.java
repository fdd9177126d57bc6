// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Guard;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Slices;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Copies the data of keys from the source to the target, in batches of any order: the target is not read before the
 * copy is complete, and keys that are written meanwhile are copied again after their first copy has arrived
 * ({@link Transit}). For one thread.
 */
final class SlotCopy {
    private static final int PAGE = 2_000;

    /** The most batches of deletes in flight. */
    private static final int MOST_BATCHES = 3;

    private final Side source;
    private final Guard importing;
    private final MovePacer pace;
    private final Transit transit;

    /** {@code importing} is the fence of the slots at the target; {@code pace} is called for each stored batch. */
    public SlotCopy(Side source, Side target, Guard importing, MoveTime time, MovePacer pace) {
        this.source = source;
        this.importing = importing;
        this.pace = pace;
        this.transit = new Transit(source, target, importing, time, pace);
    }

    public void all(Predicate<EncodedKey> wanted) {
        pace.begin();
        pass(source, importing, wanted, transit::add);
        transit.finish();
    }

    /** Passes all wanted keys of a side to the consumer, slot by slot. The next page is requested while one is used. */
    private static void pass(Side side, Guard guard, Predicate<EncodedKey> wanted, Consumer<List<EncodedKey>> use) {
        WaitingKeys waiting = new WaitingKeys(guard.slots());
        SlotTransfer.Keys ask = new SlotTransfer.Keys(ScanPage.START, wanted, PAGE);
        ScanPage page = side.ask(ask);
        while (!page.isLast()) {
            SlotTransfer.Keys next = new SlotTransfer.Keys(page.next(), wanted, PAGE);
            CompletableFuture<Reply<ScanPage>> sent = side.send(next);
            page.keys().forEach(waiting::add);
            while (waiting.isFull()) {
                use.accept(waiting.take());
            }
            page = side.take(next, sent);
        }
        page.keys().forEach(waiting::add);
        while (!waiting.isEmpty()) {
            use.accept(waiting.take());
        }
    }

    /** Copies these keys; all of their data is stored when this method returns. */
    public void keys(List<EncodedKey> keys) {
        pace.begin();
        for (List<EncodedKey> some : Slices.of(keys, SlotTransfer.MOST_KEYS)) {
            transit.add(some);
        }
        transit.finish();
    }

    private record Purge(SlotTransfer.Purge command, CompletableFuture<Reply<Boolean>> sent) {}

    public static void purge(Side side, Guard guard, Predicate<EncodedKey> wanted, MovePacer pace) {
        Deque<Purge> purges = new ArrayDeque<>();
        pace.begin();
        pass(side, guard, wanted, keys -> {
            SlotTransfer.Purge command = new SlotTransfer.Purge(guard, keys);
            purges.add(new Purge(command, side.send(command)));
            while (purges.size() > (pace.isOneAtATime() ? 0 : MOST_BATCHES - 1)) {
                take(side, purges.remove());
                pace.done(0, 0);
            }
        });
        purges.forEach(purge -> take(side, purge));
    }

    private static void take(Side side, Purge purge) {
        if (!side.take(purge.command(), purge.sent())) {
            throw MoveTrouble.lost(side + " does not fence these slots for this coordinator any more");
        }
    }
}
