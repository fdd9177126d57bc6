// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of this process that wait for an element of some list.
 *
 * <ul>
 *   <li>A taker asks again and again, with pauses that grow: no command waits in the partition, where it would hold up
 *       the connection that all share.
 *   <li>What this process adds to a list ends the pauses of as many takers as there are new elements. What other
 *       processes add is found after the pause.
 *   <li>Memory is held for the threads that wait, no others.
 * </ul>
 *
 * <p>Safe for use by several threads.
 */
final class Takers {
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

    private final ConcurrentMap<EncodedKey, Deque<Taker>> waiting = new ConcurrentHashMap<>();
    private final Timing timing;
    private final Waiter waiter;

    public Takers(Timing timing, Waiter waiter) {
        this.timing = timing;
        this.waiter = waiter;
    }

    /**
     * Asks until there is an element, the time is over, or the thread is interrupted: then it stays interrupted.
     *
     * @param poll removes and returns an element, or returns null; what it throws ends the waiting
     * @return null if there was none
     */
    @Nullable
    public Element take(EncodedKey list, Duration atMost, Supplier<@Nullable Element> poll) {
        Deadline deadline = Deadline.after(timing.ticker(), atMost.isNegative() ? Duration.ZERO : atMost);
        Duration longest = SHORTEST_PAUSE;
        while (true) {
            Taker taker = join(list); // before the question: nothing may slip in between
            boolean goesOn = false;
            try {
                Element element = poll.get();
                goesOn = element == null && !deadline.isOver() && pause(taker.arrival, longest, deadline);
                if (!goesOn) {
                    return element;
                }
            } finally {
                leave(list, taker, goesOn);
            }
            Duration twice = longest.multipliedBy(2);
            longest = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
        }
    }

    /**
     * Waits for an arrival, half of the longest pause at least, but not beyond the deadline; returns whether the thread
     * was not interrupted.
     */
    private boolean pause(CompletableFuture<Boolean> arrival, Duration longest, Deadline deadline) {
        Duration half = longest.dividedBy(2);
        Duration pause = Duration.ofNanos(Math.min(half.toNanos() + timing.upTo(half), deadline.remainingNanos()));
        Optional<Future<?>> end = timing.schedule(() -> arrival.complete(false), pause.toNanos());
        waiter.await(arrival, Deadline.after(timing.ticker(), pause), () -> false);
        end.ifPresent(timer -> timer.cancel(false));
        return !Thread.currentThread().isInterrupted();
    }

    /** Ends the pauses of this many takers of a list. */
    void arrived(EncodedKey list, int count) {
        for (int i = 0; i < count && waiting.containsKey(list); i++) {
            waiting.computeIfPresent(list, (same, takers) -> {
                takers.removeFirst().arrival.complete(true);
                return orNone(takers);
            });
        }
    }

    private Taker join(EncodedKey list) {
        Taker taker = new Taker();
        waiting.compute(list, (same, present) -> {
            Deque<Taker> takers = present == null ? new ArrayDeque<>() : present;
            takers.addLast(taker);
            return takers;
        });
        return taker;
    }

    private void leave(EncodedKey list, Taker taker, boolean goesOn) {
        waiting.computeIfPresent(list, (same, takers) -> {
            takers.remove(taker);
            return orNone(takers);
        });
        if (!goesOn && taker.arrival.getNow(false)) {
            arrived(list, 1); // it was told of an element that it does not take
        }
    }

    @SuppressWarnings("NullAway") // null removes the mapping
    private static Deque<Taker> orNone(Deque<Taker> takers) {
        return takers.isEmpty() ? null : takers;
    }

    /** Returns for how many lists somebody waits. */
    int size() {
        return waiting.size();
    }

    /** A thread, for the time between two questions. */
    private static final class Taker {
        /** True if there is a new element, false at the end of the pause. */
        private final CompletableFuture<Boolean> arrival = new CompletableFuture<>();
    }
}
