// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.time.Timing;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Hands what is due to the writer, on a thread of a pool, one batch after the other.
 *
 * <ul>
 *   <li>At most one thread does, and none while nothing is due: then a timer waits.
 *   <li>If the pool is full, it is asked again after a pause.
 *   <li>An {@code Error} of the writer ends its thread, not the flusher: its batch failed, and the rest goes on.
 * </ul>
 *
 * <p>Safe for use by several threads. Its lock is taken before that of the queue.
 */
final class Flusher<K, V> {
    private static final Duration PAUSE_OF_A_FULL_POOL = Duration.ofMillis(100);

    private final ChangeQueue<K, V> queue;
    private final BatchWriter<K, V> writer;
    private final Executor pool;
    private final Timing timing;
    private final Counts counts;
    private final FlushLog log;

    private boolean running; // guarded by this, as the timer is
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
        this.writer = writer;
        this.pool = pool;
        this.timing = timing;
        this.counts = counts;
        this.log = log;
    }

    /** To be called when something may have become due earlier than before. */
    void wake() {
        if (begin()) {
            start();
        }
    }

    private synchronized boolean begin() {
        if (running) {
            return false; // it looks again before it ends
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

    /** Sets the timer, unless it ends earlier anyway. */
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

    /** Stops the timer. */
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
                handOver(batch);
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

    private void handOver(Batch<K, V> batch) {
        try {
            settle(batch, batch.isDeletes() ? writer.deleteAll(batch.keys()) : writer.writeAll(batch.values()));
        } catch (RuntimeException e) {
            settle(batch, new BatchWriter.Outcome<>(batch.keys(), e));
        } catch (Error e) {
            settle(batch, new BatchWriter.Outcome<>(batch.keys(), e));
            throw e;
        }
    }

    private void settle(Batch<K, V> batch, BatchWriter.Outcome<K> outcome) {
        tellWritten(batch, outcome.failed());
        Settled<K> settled = queue.settle(batch, outcome.failed());
        counts.add(settled);
        if (!settled.outdated().isEmpty()) {
            writer.outdated(settled.outdated());
        }
        if (!outcome.failed().isEmpty()) {
            log.failed(settled, outcome.failure(), queue.size());
        }
    }

    private void tellWritten(Batch<K, V> batch, Set<K> failed) {
        Map<K, Optional<V>> written = new LinkedHashMap<>();
        batch.changes().forEach((key, change) -> {
            if (!failed.contains(key) && queue.isLast(key)) {
                written.put(key, Optional.ofNullable(change.value()));
            }
        });
        if (!written.isEmpty()) {
            writer.written(written);
        }
    }
}
