// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Ticker;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Times out commands without a reply, in the event loop of one channel.
 *
 * <p>Replies come in order and all commands have the same timeout, so one timer for the oldest is enough. After a stall
 * of this JVM the timer may fire before replies that have arrived are read. Therefore an overdue command is checked
 * again a moment later; the event loop reads its channels in between.
 */
final class Timeouts {
    private static final long SECOND_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EventExecutor eventLoop;
    private final Ticker ticker;
    private final long timeoutNanos;
    /** Bounded by the limit in flight, plus those completed since the oldest was sent. */
    private final Deque<RoutedCommand<?, ?>> waiting = new ArrayDeque<>();

    private boolean timerRuns;
    private @Nullable RoutedCommand<?, ?> overdue;

    Timeouts(EventExecutor eventLoop, Ticker ticker, long timeoutNanos) {
        this.eventLoop = eventLoop;
        this.ticker = ticker;
        this.timeoutNanos = timeoutNanos;
    }

    Ticker ticker() {
        return ticker;
    }

    /** Starts the timeout of a command. Called in the event loop. */
    void watch(RoutedCommand<?, ?> command) {
        forgetAnswered();
        command.sentAt(ticker.nanos());
        waiting.addLast(command);
        if (!timerRuns) {
            start(timeoutNanos);
        }
    }

    /** Returns a future like the following one, or with the late value when the first command times out. */
    <R> CompletableFuture<R> limited(RoutedCommand<?, ?> first, CompletableFuture<R> following, R late) {
        CompletableFuture<R> limited = following.copy();
        ScheduledFuture<?> timer =
                eventLoop.schedule(() -> limited.complete(late), nanosLeft(first), TimeUnit.NANOSECONDS);
        return limited.whenComplete((value, failure) -> timer.cancel(false));
    }

    private long nanosLeft(RoutedCommand<?, ?> sent) {
        return timeoutNanos - (ticker.nanos() - sent.sentAt());
    }

    private void forgetAnswered() {
        RoutedCommand<?, ?> oldest = waiting.peekFirst();
        while (oldest != null && oldest.isDone()) {
            waiting.removeFirst();
            oldest = waiting.peekFirst();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Only the event loop's end cancels it, after the channels'.
    private void start(long delayNanos) {
        timerRuns = true;
        eventLoop.schedule(this::look, delayNanos, TimeUnit.NANOSECONDS);
    }

    private void look() {
        timerRuns = false;
        forgetAnswered();
        RoutedCommand<?, ?> oldest = waiting.peekFirst();
        if (oldest == null) {
            return;
        }
        long left = nanosLeft(oldest);
        if (left > 0) {
            start(left);
        } else if (oldest != overdue) {
            overdue = oldest;
            start(SECOND_LOOK_NANOS);
        } else {
            expire();
        }
    }

    /** Times out all commands that are overdue by now; at the first check they were overdue, or nearly so. */
    private void expire() {
        overdue = null;
        long now = ticker.nanos();
        RoutedCommand<?, ?> oldest = waiting.peekFirst();
        while (oldest != null && now - oldest.sentAt() >= timeoutNanos) {
            waiting.removeFirst();
            oldest.timeOut();
            oldest = waiting.peekFirst();
        }
        if (oldest != null) {
            start(Math.max(SECOND_LOOK_NANOS, timeoutNanos - (now - oldest.sentAt())));
        }
    }
}
