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
 * The threads of this process that wait for an element of a list. They poll with growing pauses, because blocking
 * commands would block the shared connection. Adding elements in this process ends the pauses of as many takers. Memory
 * is used for waiting threads only. Safe for use by several threads.
 */
final class Takers {
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

    private final ConcurrentMap<EncodedKey, Deque<Taker>> waiting = new ConcurrentHashMap<>();
    private final Timing timing;
    private final Waiter waiter;

    Takers(Timing timing, Waiter waiter) {
        this.timing = timing;
        this.waiter = waiter;
    }

    /**
     * Polls until there is an element, the time is over (returns null), or the thread is interrupted (which it stays).
     */
    @Nullable
    Element take(EncodedKey list, Duration atMost, Supplier<@Nullable Element> poll) {
        Deadline deadline = Deadline.after(timing.ticker(), atMost.isNegative() ? Duration.ZERO : atMost);
        Duration longest = SHORTEST_PAUSE;
        while (true) {
            Taker taker = join(list); // before polling, so that no arrival is missed
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

    /** Waits for an arrival, between half of the longest pause and the deadline; returns false if interrupted. */
    private boolean pause(CompletableFuture<Boolean> arrival, Duration longest, Deadline deadline) {
        Duration half = longest.dividedBy(2);
        Duration pause = Duration.ofNanos(Math.min(half.toNanos() + timing.upTo(half), deadline.remainingNanos()));
        Optional<Future<?>> end = timing.schedule(() -> arrival.complete(false), pause.toNanos());
        waiter.await(arrival, Deadline.after(timing.ticker(), pause), () -> false);
        end.ifPresent(timer -> timer.cancel(false));
        return !Thread.currentThread().isInterrupted();
    }

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
            arrived(list, 1); // pass the signal on: this taker does not poll again
        }
    }

    @SuppressWarnings("NullAway") // null removes the mapping
    private static Deque<Taker> orNone(Deque<Taker> takers) {
        return takers.isEmpty() ? null : takers;
    }

    int size() {
        return waiting.size();
    }

    /** A waiting thread between two polls. */
    private static final class Taker {
        /** True after a new element, false after the pause. */
        private final CompletableFuture<Boolean> arrival = new CompletableFuture<>();
    }
}
