// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.concurrent.Timing;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Passes due changes to the writer, on a thread of a pool, one batch after the other. At most one thread runs, and none
 * while nothing is due; then a timer waits. If the pool is full, it is tried again after a pause. An {@code Error} of
 * the writer ends its thread, but not the flusher. Thread-safe. Its lock is taken before that of the queue.
 */
final class Flusher<K, V> {
    private static final Duration PAUSE_OF_A_FULL_POOL = Duration.ofMillis(100);

    private final ChangeQueue<K, V> queue;
    private final Executor pool;
    private final Timing timing;
    private final FlushLog log;
    private final BatchDelivery<K, V> delivery;

    private boolean running; // guarded by this, as is the timer
    private @Nullable Future<?> timer;
    private long timerEnd;

    Flusher(
            ChangeQueue<K, V> queue,
            BatchWriter<K, V> writer,
            Executor pool,
            Timing timing,
            Counts counts,
            FlushLog log) {
        this.queue = queue;
        this.pool = pool;
        this.timing = timing;
        this.log = log;
        this.delivery = new BatchDelivery<>(queue, writer, counts, log);
    }

    /** Called when a change may have become due earlier than before. */
    void wake() {
        if (begin()) {
            start();
        }
    }

    private synchronized boolean begin() {
        if (running) {
            return false; // it checks again before it ends
        }
        OptionalLong due = queue.nanosUntilDue();
        if (due.isEmpty()) {
            return false;
        }
        if (due.getAsLong() > 0) {
            setTimer(due.getAsLong());
            return false;
        }
        running = true;
        return true;
    }

    private void start() {
        try {
            pool.execute(this::run);
        } catch (RejectedExecutionException full) {
            pause();
        }
    }

    private synchronized void pause() {
        running = false;
        setTimer(PAUSE_OF_A_FULL_POOL.toNanos());
    }

    /** Sets the timer unless it is set to an earlier time. */
    private void setTimer(long nanos) {
        long end = timing.ticker().nanos() + nanos;
        if (timer == null || end - timerEnd < 0) {
            stop();
            timerEnd = end;
            timer = timing.schedule(this::onTimer, nanos).orElse(null);
        }
    }

    private void onTimer() {
        stop();
        wake();
    }

    synchronized void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void run() {
        boolean ended = false;
        try {
            for (Batch<K, V> batch = next(); batch != null; batch = next()) {
                delivery.handOver(batch);
            }
            ended = true;
        } finally {
            log.reportDropped();
            if (!ended) {
                goOn();
            }
        }
    }

    private synchronized @Nullable Batch<K, V> next() {
        Batch<K, V> batch = queue.take();
        if (batch == null) {
            running = false;
            queue.nanosUntilDue().ifPresent(this::setTimer);
        }
        return batch;
    }

    private void goOn() {
        synchronized (this) {
            running = false;
        }
        wake();
    }
}
