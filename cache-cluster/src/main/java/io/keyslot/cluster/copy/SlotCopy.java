// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.copy;

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
 * Copies what is under physical keys from one side to the other, in batches. The order does not matter: nobody reads the target
 * before all of it is there, and what is written meanwhile is copied again when all of it has arrived ({@link Transit}). For one
 * thread.
 */
public final class SlotCopy {
    /** How many keys a side is asked to look at for one page. */
    private static final int PAGE = 2_000;

    /** The batches that are being removed. */
    private static final int MOST_BATCHES = 3;

    private final Side source;
    private final Guard importing;
    private final MoveTime time;
    private final Pace pace;
    private final Transit transit;

    /**
     * @param importing how the slots are fenced at the target
     * @param pace is told of each batch that is stored, and may wait before the next one
     */
    public SlotCopy(Side source, Side target, Guard importing, MoveTime time, Pace pace) {
        this.source = source;
        this.importing = importing;
        this.time = time;
        this.pace = pace;
        this.transit = new Transit(source, target, importing, time, pace);
    }

    public MoveTime time() {
        return time;
    }

    /** Copies all keys that are wanted, in one pass over the source. */
    public void all(Predicate<EncodedKey> wanted) {
        pace.begin();
        pass(source, importing, wanted, transit::add);
        transit.finish();
    }

    /** Hands on all keys of a side that are wanted, slot by slot. Each page is asked for while the one before is used. */
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

    /** Copies what is under these keys; all of it is stored when this returns. */
    public void keys(List<EncodedKey> keys) {
        pace.begin();
        for (List<EncodedKey> some : Slices.of(keys, SlotTransfer.MOST_KEYS)) {
            transit.add(some);
        }
        transit.finish();
    }

    private record Purge(SlotTransfer.Purge command, CompletableFuture<Reply<Boolean>> sent) {}

    /** Removes all keys of a side that are wanted. */
    public static void purge(Side side, Guard guard, Predicate<EncodedKey> wanted, Pace pace) {
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
            throw new MoveTrouble(
                    MoveTrouble.Kind.LOST, side + " does not fence these slots for this coordinator any more");
        }
    }
}
