// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.cache.ChangeQueue.Batch;
import io.keyslot.client.cache.ChangeQueue.Settled;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Timing;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
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
    private final BatchWriter<K, V> writer;
    private final LongAdder written = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    private boolean running; // guarded by this, as is the timer
    private @Nullable Future<?> timer;
    private long timerEnd;

    Flusher(ChangeQueue<K, V> queue, BatchWriter<K, V> writer, Executor pool, Timing timing, FlushLog log) {
        this.queue = queue;
        this.pool = pool;
        this.timing = timing;
        this.log = log;
        this.writer = writer;
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
                handOver(batch);
            }
            ended = true;
        } finally {
            log.reportDropped();
            if (!ended) {
                synchronized (this) {
                    running = false;
                }
                wake();
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

    /** Passes a batch to the writer, and settles it in the queue. Throws only an {@code Error} of the writer, after its batch is settled as failed. */
    private void handOver(Batch<K, V> batch) {
        try {
            settle(batch, outcomeOf(batch));
        } catch (RuntimeException e) {
            settle(batch, new BatchWriter.Outcome<>(batch.changes().keySet(), e));
        } catch (Error e) {
            settle(batch, new BatchWriter.Outcome<>(batch.changes().keySet(), e));
            throw e;
        }
    }

    private BatchWriter.Outcome<K> outcomeOf(Batch<K, V> batch) {
        try (CallScope scope = CallScope.enter(queue)) {
            return batch.isDeletes() ? writer.deleteAll(batch.changes().keySet()) : writer.writeAll(batch.values());
        }
    }

    private void settle(Batch<K, V> batch, BatchWriter.Outcome<K> outcome) {
        reportWritten(batch, outcome.failed());
        Settled<K> settled = queue.settle(batch, outcome.failed());
        written.add(settled.written());
        retried.add(settled.retried());
        dropped.add(settled.dropped());
        if (!settled.outdated().isEmpty()) {
            writer.outdated(settled.outdated());
        }
        if (!outcome.failed().isEmpty()) {
            log.failed(settled, outcome.failure(), queue.size());
        }
    }

    private void reportWritten(Batch<K, V> batch, Set<K> failed) {
        Map<K, Optional<V>> changes = new LinkedHashMap<>();
        batch.changes().forEach((key, change) -> {
            if (!failed.contains(key) && queue.isLast(key)) {
                changes.put(key, Optional.ofNullable(change.value()));
            }
        });
        if (!changes.isEmpty()) {
            writer.written(changes);
        }
    }

    /** Records changes that are given up at the close. */
    void lostAtClose(int count) {
        dropped.add(count);
        log.lostAtClose(count);
    }

    /** Records a change whose call outlasted the close. */
    void lostAfterClose() {
        dropped.increment();
        log.lostAfterClose();
    }

    long written() {
        return written.sum();
    }

    long retried() {
        return retried.sum();
    }

    long dropped() {
        return dropped.sum();
    }
}
