// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.FenceCommand.From;
import io.keyslot.client.partition.FenceCommand.SetFence;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.cluster.copy.Side;
import io.keyslot.cluster.move.MapStore.Stored;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The change of owner of frozen slots, in two steps instead of three: the source is closed while the map is changed,
 * and both sides are notified when both are done. All commands are prepared before the freeze, and each step is sent by
 * the thread that received the last answer of the previous one.
 *
 * <p>The source is not read from before the change of the map until its outcome is known, so the order in which the two
 * sides are notified does not matter. If that takes longer than {@link #LONGEST_CLOSED}, or the change was not made,
 * the source is opened for reads again, and neither side is notified before the outcome is known. For one thread.
 */
final class OwnerChange {
    /** The longest time without reads because of a catalogue that does not answer. */
    static final Duration LONGEST_CLOSED = Duration.ofMillis(20);

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

    private final Side source;
    private final Side target;
    private final MoveTime time;
    private final MoveMap.Ready commit;
    private final SetFence close;
    private final SetFence open;
    private final SetFence moved;
    private final SetFence owned;

    /** Decides between notifying both sides and opening the source again; the first one wins. */
    private final AtomicBoolean isDecided = new AtomicBoolean();

    /** Decides between starting on the answering thread and in {@link #run}; the first one wins. */
    private final AtomicBoolean isClaimed = new AtomicBoolean();

    private final CompletableFuture<Stored> stored = new CompletableFuture<>();
    private final CompletableFuture<Boolean> announced = new CompletableFuture<>();
    private volatile boolean hasBegun;
    private volatile long beganNanos;
    private volatile long publishedNanos;
    private long closedNanos;

    OwnerChange(SlotFencing fencing, Side source, Side target, MoveTime time, SlotSet slots, MoveMap.Ready commit) {
        this.source = source;
        this.target = target;
        this.time = time;
        this.commit = commit;
        PartitionMap before = commit.before();
        PartitionMap after = commit.after();
        this.close = fencing.command(slots, From.any(State.FROZEN), State.CLOSED, before);
        this.open = fencing.command(slots, From.any(State.FROZEN, State.CLOSED), State.FROZEN, before);
        this.moved = fencing.command(slots, From.any(State.CLOSED), State.MOVED, after);
        this.owned = fencing.command(slots, From.any(State.IMPORTING), State.OWNED, after);
    }

    enum Outcome {
        /** The map is changed, and both sides know. */
        DONE,
        /** The map is changed, and both sides have to be notified: one of them may not know. */
        CHANGED,
        /** The source is frozen, and neither side was notified; the map may be changed, now or later. */
        UNKNOWN
    }

    Duration closed() {
        return Duration.ofNanos(closedNanos);
    }

    long publishedNanos() {
        return publishedNanos;
    }

    /**
     * Starts on the thread that receives the answer that slots are frozen and the target is ready, so that no other
     * thread has to run first. Waits, and returns whether it has started; if not, {@link #run} starts.
     */
    boolean hasBegunWhen(CompletableFuture<Boolean> areFrozen) {
        CompletableFuture<Boolean> begun =
                areFrozen.thenApply(are -> are && isClaimed.compareAndSet(false, true) && begin());
        CompletableFuture<Boolean> over =
                begun.thenCompose(has -> has ? announced : CompletableFuture.completedFuture(false));
        time.waiter().awaitDone(over, Deadline.after(time.ticker(), LONGEST_CLOSED));
        boolean unused = within(begun, false);
        return !isClaimed.compareAndSet(false, true);
    }

    private boolean begin() {
        hasBegun = true;
        beganNanos = time.nanos();
        CompletableFuture<Boolean> closed = SlotFencing.Sent.of(source, close).isSet();
        forward(commit.prepared().store(), stored);
        CompletableFuture<Boolean> both = closed.thenCombine(
                        stored, (isClosed, storing) -> isClosed && storing == Stored.DONE)
                .thenCompose(isSafe -> isSafe && isDecided.compareAndSet(false, true)
                        ? announce()
                        : CompletableFuture.completedFuture(false));
        forward(both.whenComplete((are, failure) -> publishedNanos = time.nanos()), announced);
        return true;
    }

    private static <T> void forward(CompletableFuture<T> from, CompletableFuture<T> to) {
        Futures.whenOver(from, (value, failure) -> {
            if (failure == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }

    Outcome run() {
        if (!hasBegun) {
            boolean unused = begin();
        }
        Duration left = LONGEST_CLOSED.minus(time.since(beganNanos));
        time.waiter().awaitDone(announced, Deadline.after(time.ticker(), left.isNegative() ? Duration.ZERO : left));
        if (isDecided.compareAndSet(false, true)) {
            boolean unused = SlotFencing.Sent.of(source, open).await();
            closedNanos = time.nanos() - beganNanos;
            return within(stored, Stored.UNKNOWN) == Stored.DONE ? Outcome.CHANGED : Outcome.UNKNOWN;
        }
        Outcome outcome = within(announced, false) ? Outcome.DONE : Outcome.CHANGED;
        closedNanos = (outcome == Outcome.DONE ? publishedNanos : time.nanos()) - beganNanos;
        return outcome;
    }

    /** The target first, because calls wait for it, and none waits for the source. */
    private CompletableFuture<Boolean> announce() {
        CompletableFuture<Boolean> isOwned = SlotFencing.Sent.of(target, owned).isSet();
        return isOwned.thenCombine(SlotFencing.Sent.of(source, moved).isSet(), Boolean::logicalAnd);
    }

    private <T> T within(CompletableFuture<T> answer, T otherwise) {
        return time.await(answer, LONGEST_ANSWER, () -> otherwise);
    }
}
