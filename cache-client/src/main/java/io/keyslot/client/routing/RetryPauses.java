// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.Reply;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The pauses between the attempts of a command: random, up to 4 ms before the second attempt, doubled up to 64 ms. For
 * a moving slot they are shorter: up to 1, 1, 2, 2, 4 ms, and so on up to 16 ms if many calls wait; they end when a
 * newer map arrives, which names the owner. No thread waits. Thread-safe.
 */
final class RetryPauses implements AutoCloseable {
    static final Duration FIRST_PAUSE = Duration.ofMillis(4);
    static final Duration LONGEST_PAUSE = Duration.ofMillis(64);
    static final Duration LONGEST_OF_A_MOVE = Duration.ofMillis(16);

    /** With fewer waiting calls than this, each may retry every few milliseconds. */
    static final int FEW_WAITING = 64;

    static final Duration LONGEST_OF_FEW = Duration.ofMillis(4);

    /** The maximum number of waiting commands; further ones fail. */
    static final int MOST_WAITING = 4096;

    private final Timing timing;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Set<Pause> pauses = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    RetryPauses(Timing timing) {
        this.timing = timing;
    }

    /**
     * Returns a future that completes after the pause that follows this number of attempts, the last with this reply;
     * empty if there is no further attempt, because the pause would exceed the deadline or too many commands wait.
     */
    Optional<CompletableFuture<Void>> after(int attempts, Reply<?> last, Deadline deadline) {
        boolean isOfMove =
                last instanceof Reply.Refused<?> refused && refused.refusal().isOfMove();
        long nanos = pauseNanos(isOfMove ? limitOfMove(attempts, waiting.get()) : limit(attempts));
        return nanos < deadline.remainingNanos() && !closed ? admit(nanos, isOfMove) : Optional.empty();
    }

    /**
     * Runs {@code next} after the pause, on another thread, which must not wait. Without a further attempt, returns the
     * result of {@code over}.
     */
    <T> CompletableFuture<T> again(
            int attempts, Reply<?> last, Deadline deadline, Supplier<CompletableFuture<T>> next, Supplier<T> over) {
        return after(attempts, last, deadline)
                .map(pause -> pause.thenCompose(ended -> next.get()))
                .orElseGet(() -> CompletableFuture.completedFuture(over.get()));
    }

    private Optional<CompletableFuture<Void>> admit(long nanos, boolean isOfMove) {
        if (waiting.incrementAndGet() > MOST_WAITING) {
            waiting.decrementAndGet();
            return Optional.empty();
        }
        Pause pause = new Pause(isOfMove);
        pauses.add(pause);
        Optional<Future<?>> timer = timing.schedule(() -> end(pause), nanos);
        if (timer.isEmpty() || closed) {
            end(pause);
        }
        return timer.map(started -> pause.over);
    }

    /** Half of the pause is random; a pause near 0 would only waste an attempt. */
    private long pauseNanos(Duration limit) {
        Duration half = limit.dividedBy(2);
        return half.toNanos() + timing.upTo(half);
    }

    static Duration limit(int attempts) {
        return Timing.doubled(FIRST_PAUSE, attempts - 1, LONGEST_PAUSE);
    }

    static Duration limitOfMove(int attempts, int waiting) {
        Duration limit = attempts > 8 ? LONGEST_OF_A_MOVE : Duration.ofMillis(1L << ((attempts - 1) / 2));
        return waiting < FEW_WAITING && limit.compareTo(LONGEST_OF_FEW) > 0 ? LONGEST_OF_FEW : limit;
    }

    void endThoseOfMoves() {
        for (Pause pause : pauses) {
            if (pause.isOfMove) {
                end(pause);
            }
        }
    }

    private void end(Pause pause) {
        if (pauses.remove(pause)) {
            waiting.decrementAndGet();
            pause.over.complete(null);
        }
    }

    @Override
    public void close() {
        closed = true;
        pauses.forEach(this::end);
    }

    private static final class Pause {
        private final CompletableFuture<Void> over = new CompletableFuture<>();
        private final boolean isOfMove;

        Pause(boolean isOfMove) {
            this.isOfMove = isOfMove;
        }
    }
}
