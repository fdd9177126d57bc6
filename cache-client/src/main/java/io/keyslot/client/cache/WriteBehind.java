// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.cache.ChangeQueue.PendingChange;
import io.keyslot.client.cache.ChangeQueue.PlaceRequest;
import io.keyslot.client.cache.ChangeQueue.QueuedChange;
import io.keyslot.client.cache.KeyedTurns.Turn;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the changes of one cache later than they are made. {@link WriteBehindOptions} sets the delay, the size of the
 * queue, and what a crash loses.
 * <ul>
 * <li>A call {@linkplain #reserve takes places}, changes the cache, and then fills the places or gives them back. So
 * acknowledged changes are queued, and refused ones are not.
 * <li>A call changes an entry and fills its place under the {@linkplain OutboxEntry#begin lock} of the entry: the cache
 * and the writer receive the changes of a key in the same order. Loads wait until the changes in the cache are queued.
 * <li>The writer receives the last of several waiting changes of a key, after an earlier one of the key has ended.
 * <li>The writer runs on a thread of the pool, one call at a time.
 * </ul>
 *
 * <p>Thread-safe. Taking places, flushing and closing may wait for the writer, so the writer must not call them.
 */
final class WriteBehind<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(WriteBehind.class);

    private static final int MOST_PLACES_AT_ONCE = 500;

    /** The longest wait for calls that change the same entry, which wait only for partitions, until their deadlines. */
    private static final Duration LONGEST_TURN = Duration.ofSeconds(60);

    private static final String NOTHING_CHANGED = "nothing was changed";

    private final String cacheName;
    private final WriteBehindOptions options;
    private final Waiter waiter;
    private final Timing timing;
    private final ChangeQueue<K, V> queue;
    private final KeyedTurns<K> turns = new KeyedTurns<>();
    private final Flusher<K, V> flusher;
    private @Nullable Deadline closing; // guarded by this

    WriteBehind(
            String cacheName,
            WriteBehindOptions options,
            BatchWriter<K, V> writer,
            Executor pool,
            Waiter waiter,
            Timing timing) {
        this.cacheName = cacheName;
        this.options = options;
        this.waiter = waiter;
        this.timing = timing;
        this.queue = new ChangeQueue<>(options, timing);
        this.flusher = new Flusher<>(queue, writer, pool, timing, new FlushLog(LOG, cacheName, timing.ticker()));
    }

    int mostPlaces() {
        return Math.min(MOST_PLACES_AT_ONCE, options.queue());
    }

    /**
     * Takes a place for each key, all of them or none; a key with a waiting change already has one. While a call waits
     * here, waiting changes are written without delay.
     *
     * @throws CacheOverloadedException if there are not enough places by the deadline
     * @throws CallInterruptedException if the thread was interrupted while waiting
     * @throws IllegalStateException if the cache is being closed
     */
    OutboxEntry<K, V> reserve(Collection<K> keys, Deadline deadline) {
        List<K> wanted = List.copyOf(new LinkedHashSet<>(keys));
        PlaceRequest<K> request = queue.request(wanted);
        if (!request.granted().isDone()) {
            flusher.wake();
        }
        if (waiter.await(request.granted(), deadline, () -> queue.withdraw(request))) {
            return new OutboxEntry<>(this, wanted);
        }
        if (queue.isEnded()) {
            throw new IllegalStateException("Cache %s is closed".formatted(cacheName));
        }
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted(NOTHING_CHANGED);
        }
        throw new CacheOverloadedException(
                ("Cache %s: nothing was changed, as the changes of %d keys wait for the cache writer and no more may;"
                                + " repeat the call later, make the writer faster, or raise writeBehind.queue")
                        .formatted(cacheName, options.queue()));
    }

    /** Waits for the lock of the keys; {@link #end} releases it. */
    Turn<K> begin(Collection<K> keys) {
        Turn<K> turn = turns.ask(keys);
        if (!waiter.await(turn.begun(), Deadline.after(timing.ticker(), LONGEST_TURN), () -> turns.withdraw(turn))) {
            throw tooLate(NOTHING_CHANGED);
        }
        return turn;
    }

    void end(Turn<K> turn) {
        turns.end(turn);
    }

    /**
     * Waits until each change of these keys that has reached the cache is queued, or is known not to be. Throws
     * {@link CacheOverloadedException} if that takes too long.
     */
    void awaitChanges(Collection<K> keys) {
        Deadline deadline = Deadline.after(timing.ticker(), LONGEST_TURN);
        for (K key : keys) {
            Optional<CompletableFuture<Boolean>> end = turns.underWay(key);
            if (end.isPresent()
                    && !waiter.await(end.get(), deadline, () -> end.get().isDone())) {
                throw tooLate("nothing was loaded");
            }
        }
    }

    private KeyslotException tooLate(String what) {
        if (Thread.currentThread().isInterrupted()) {
            return interrupted(what);
        }
        return new CacheOverloadedException(
                "Cache %s: %s, as others were changing the entry for %d s; repeat the call later"
                        .formatted(cacheName, what, LONGEST_TURN.toSeconds()));
    }

    private CallInterruptedException interrupted(String what) {
        return new CallInterruptedException(
                "Cache %s: %s, the thread was interrupted while it waited for others".formatted(cacheName, what));
    }

    void giveBack(K key) {
        queue.giveBack(key);
    }

    void fill(K key, QueuedChange<V> change) {
        if (queue.fill(key, change)) {
            flusher.wake();
        } else {
            flusher.lostAfterClose();
        }
    }

    Optional<PendingChange<V>> pending(K key) {
        return queue.pending(key);
    }

    /**
     * Writes waiting changes without delay; returns whether all were written in time. The others stay queued or are
     * given up. Throws {@code IllegalStateException} if the writer calls this and would wait for itself.
     */
    boolean flush(Duration atMost) {
        if (!atMost.isZero() && CallScope.isWithin(queue::equals)) {
            throw new IllegalStateException(
                    "Cache %s: flushWrites was called by the cache writer, for whose end it would wait; call it elsewhere"
                            .formatted(cacheName));
        }
        CompletableFuture<Boolean> written = queue.hurry();
        flusher.wake();
        return waiter.awaitClose(written, atMost, () -> false);
    }

    /** Begins to write all changes, and refuses further places; does not wait. */
    synchronized void beginClose() {
        if (closing == null) {
            closing = Deadline.after(timing.ticker(), options.closeWait());
            queue.end();
            flusher.wake();
        }
    }

    /**
     * Waits for all changes as long as the options allow since closing began. The others are lost, and logged as an
     * error.
     */
    void close() {
        if (!waiter.awaitClose(queue.drained(), closeWaitLeft(), () -> false)) {
            int lost = queue.abandon();
            if (lost > 0) {
                flusher.lostAtClose(lost);
            }
        }
        flusher.stop();
    }

    private synchronized Duration closeWaitLeft() {
        beginClose();
        return closing == null ? Duration.ZERO : Duration.ofNanos(closing.remainingNanos());
    }

    void show(CacheTelemetry telemetry) {
        telemetry.showWriteBehind(this::queued, this::written, this::retried, this::dropped);
    }

    /** Returns the number of keys with changes that are waiting or being written. */
    int queued() {
        return queue.size();
    }

    long written() {
        return flusher.written();
    }

    long retried() {
        return flusher.retried();
    }

    long dropped() {
        return flusher.dropped();
    }
}
