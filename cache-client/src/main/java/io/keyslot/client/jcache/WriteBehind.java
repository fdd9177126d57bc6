// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.LogPace;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.config.Counted;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.jcache.ChangeQueue.Change;
import io.keyslot.client.jcache.ChangeQueue.PlaceRequest;
import io.keyslot.client.jcache.ChangeQueue.Settled;
import io.keyslot.client.jcache.WriteThrough.Written;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.cache.CacheException;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the application's writer later than changes are made. {@link WriteBehindOptions} sets the delay, the size of the
 * queue, and what a crash loses.
 * <ul>
 * <li>A change takes its place in the queue before the cache is changed. It is queued if the cache was changed, or may
 * have been: the database is the authority, and an uncertain entry is deleted after the write. It is not queued if the
 * cache refused it.
 * <li>Changing an entry and queueing the change is one step, under the {@linkplain OutboxEntry#begin lock} of the entry,
 * for all other calls and loads of this process. So the cache and the database receive the changes of a key in the same
 * order.
 * <li>The writer receives the last of several waiting changes of a key, after an earlier one of the key has ended. It
 * runs on a thread of the pool, one call at a time, and only while a change is due; otherwise, a timer waits.
 * <li>Keys and values are kept in their stored, immutable form, which needs no second copy.
 * <li>Warnings and errors have the classes of the writer's exceptions, not their messages, which may quote values.
 * </ul>
 *
 * <p>Thread-safe. Taking places, flushing and closing may wait for the writer, so the writer must not call them. Its lock
 * is taken before that of the queue.
 */
final class WriteBehind<K, V> implements ChangeWriter<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(WriteBehind.class);
    private static final int MOST_PLACES_AT_ONCE = 500;
    /** The longest wait for calls that change the same entry, which wait only for partitions, until their deadlines. */
    private static final Duration LONGEST_TURN = Duration.ofSeconds(60);

    private static final Duration PAUSE_OF_A_FULL_POOL = Duration.ofMillis(100);
    private static final int MOST_CAUSES = 5;

    private final String cacheName;
    private final WriteBehindOptions options;
    private final WriteThrough<K, V> writer;
    private final KeyCodec<K> keys;
    private final ValueCoder<V> coder;
    private final Consumer<Map<EncodedKey, Optional<Envelope>>> keeping;
    private final Consumer<List<EncodedKey>> forgetting;
    private final Executor pool;
    private final Waiter waiter;
    private final Timing timing;
    private final ChangeQueue queue;
    private final KeyedQueues turns;
    private final LogPace pace;
    private final LongAdder written = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private boolean running; // guarded by this, as are the following
    private @Nullable Future<?> timer;
    private long timerEnd;
    private @Nullable Deadline closing;

    /**
     * Creates a queue in front of a writer. {@code keeping} removes entries that differ from what was written (empty for
     * a removal): if the cache has another value by now, the order of writes by other processes is unknown.
     * {@code forgetting} removes entries whose last change the cache or the writer may not have.
     */
    WriteBehind(
            String cacheName,
            WriteBehindOptions options,
            WriteThrough<K, V> writer,
            KeyCodec<K> keys,
            ValueCoder<V> coder,
            Consumer<Map<EncodedKey, Optional<Envelope>>> keeping,
            Consumer<List<EncodedKey>> forgetting,
            Executor pool,
            Waiter waiter,
            Timing timing) {
        this.cacheName = cacheName;
        this.options = options;
        this.writer = writer;
        this.keys = keys;
        this.coder = coder;
        this.keeping = keeping;
        this.forgetting = forgetting;
        this.pool = pool;
        this.waiter = waiter;
        this.timing = timing;
        this.queue = new ChangeQueue(options, timing);
        this.turns = new KeyedQueues(waiter, timing.ticker(), LONGEST_TURN, LONGEST_TURN);
        this.pace = new LogPace(timing.ticker());
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public int mostAtOnce() {
        return Math.min(MOST_PLACES_AT_ONCE, options.queue());
    }

    @Override
    public OutboxEntry reserve(EncodedKey key, CallBudget budget) {
        return reserveAll(List.of(key), budget);
    }

    /**
     * Takes a place for each key, all of them or none; a key with a waiting change already has one. While a call waits
     * here, waiting changes are written without delay.
     *
     * @throws CacheOverloadedException if there are not enough places by the deadline
     * @throws CallInterruptedException if the thread was interrupted while waiting
     * @throws IllegalStateException if the cache is being closed
     */
    @Override
    public OutboxEntry reserveAll(List<EncodedKey> all, CallBudget budget) {
        List<EncodedKey> wanted = List.copyOf(new LinkedHashSet<>(all));
        PlaceRequest request = queue.request(wanted);
        if (!request.granted().isDone()) {
            wake();
        }
        if (budget.spend(deadline -> waiter.await(request.granted(), deadline, () -> queue.withdraw(request)))) {
            return new OutboxEntry(this, wanted);
        }
        if (queue.isEnded()) {
            throw new IllegalStateException("Cache %s is closed".formatted(cacheName));
        }
        throw refused(
                "nothing was changed",
                ("Cache %s: nothing was changed, as the changes of %s wait for the cache writer and no more may;"
                                + " repeat the call later, make the writer faster, or raise writeBehind.queue")
                        .formatted(cacheName, Counted.of(options.queue(), "key")));
    }

    /** Locks these entries; {@code otherwise} tells in the exception what is the case if that takes too long. */
    KeyedQueues.Standing enter(List<EncodedKey> entries, String otherwise) {
        KeyedQueues.Standing turn = turns.enter(entries);
        if (!turn.hasAll()) {
            turn.close();
            throw refused(
                    otherwise,
                    "Cache %s: %s, as others were changing the entry for %d s; repeat the call later"
                            .formatted(cacheName, otherwise, LONGEST_TURN.toSeconds()));
        }
        return turn;
    }

    private KeyslotException refused(String what, String message) {
        return Thread.currentThread().isInterrupted()
                ? new CallInterruptedException("Cache %s: %s, the thread was interrupted while it waited for others"
                        .formatted(cacheName, what))
                : new CacheOverloadedException(message);
    }

    void giveBack(EncodedKey key) {
        queue.giveBack(key);
    }

    void fill(EncodedKey key, @Nullable Envelope value, boolean unsure) {
        if (queue.fill(key, value, unsure)) {
            wake();
            return;
        }
        dropped.increment();
        LOG.error(
                "Cache {}: a call that outlasted writeBehind.closeWait changed the cache; its change is lost",
                cacheName);
    }

    @Override
    public void goOn(EncodedKey encoded, @Nullable V value, CallBudget budget) {
        Envelope envelope = value == null ? null : coder.encode(encoded, value, 0);
        try (OutboxEntry place = reserve(encoded, budget)) {
            place.fill(encoded, envelope, true);
        }
    }

    /**
     * Returns a loader that prefers a pending change of this process to the loaded value. It checks again after loading,
     * as a change may have been faster.
     */
    @Override
    public @Nullable CacheLoader<K, V> aware(@Nullable CacheLoader<K, V> loader) {
        return loader == null ? null : new PendingFirst(loader);
    }

    @Override
    public void awaitChanges(Collection<? extends K> wanted) {
        for (K key : wanted) {
            enter(List.of(keys.encode(key)), "nothing was loaded").close();
        }
    }

    /** Returns the last change of a key that may not be written yet, or null. */
    @Nullable
    Change pending(K key) {
        return queue.pending(keys.encode(key));
    }

    /** Called when a change may have become due earlier than before. */
    private void wake() {
        if (!begin()) {
            return;
        }
        try {
            pool.execute(this::run);
        } catch (RejectedExecutionException full) {
            synchronized (this) {
                running = false;
                setTimer(PAUSE_OF_A_FULL_POOL.toNanos());
            }
        }
    }

    /** Returns whether a change is due, and no thread writes; otherwise sets the timer. */
    private synchronized boolean begin() {
        if (running) {
            return false; // it checks again before it ends
        }
        OptionalLong due = queue.nanosUntilDue();
        running = due.isPresent() && due.getAsLong() <= 0;
        if (!running) {
            due.ifPresent(this::setTimer);
        }
        return running;
    }

    /** Sets the timer unless it is set to an earlier time. */
    private void setTimer(long nanos) {
        long end = timing.ticker().nanos() + nanos;
        if (timer == null || end - timerEnd < 0) {
            stopTimer();
            timerEnd = end;
            timer = timing.schedule(
                            () -> {
                                stopTimer();
                                wake();
                            },
                            nanos)
                    .orElse(null);
        }
    }

    private synchronized void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    /** Writes what is due. An {@code Error} of the writer ends this thread, and another one goes on. */
    private void run() {
        boolean ended = false;
        try {
            for (Map<EncodedKey, Change> batch = next(); !batch.isEmpty(); batch = next()) {
                write(batch);
            }
            ended = true;
        } finally {
            if (!ended) {
                synchronized (this) {
                    running = false;
                }
                wake();
            }
        }
    }

    private synchronized Map<EncodedKey, Change> next() {
        Map<EncodedKey, Change> batch = queue.take();
        if (batch.isEmpty()) {
            running = false;
            queue.nanosUntilDue().ifPresent(this::setTimer);
        }
        return batch;
    }

    /**
     * Passes a batch to the writer, and settles it in the queue. Throws only an {@code Error} of the writer, after its
     * batch is settled as failed.
     */
    private void write(Map<EncodedKey, Change> batch) {
        try {
            Map<K, EncodedKey> byKey = new LinkedHashMap<>();
            batch.keySet().forEach(key -> byKey.put(keys.decode(key), key));
            Written<K> outcome = written(byKey, batch);
            byKey.keySet().retainAll(outcome.done());
            settle(batch, new HashSet<>(byKey.values()), outcome.failure());
        } catch (RuntimeException e) {
            settle(batch, Set.of(), e);
        } catch (Error e) {
            settle(batch, Set.of(), e);
            throw e;
        }
    }

    private Written<K> written(Map<K, EncodedKey> byKey, Map<EncodedKey, Change> batch) {
        Map<K, V> values = new LinkedHashMap<>();
        byKey.forEach((key, encoded) -> {
            Envelope value = Objects.requireNonNull(batch.get(encoded)).value;
            if (value != null) {
                values.put(
                        key,
                        coder.decode(encoded, value)
                                .orElseThrow(() ->
                                        new CacheException("The codec cannot read a value that it wrote itself")));
            }
        });
        try (CallScope scope = CallScope.enter(queue)) {
            return values.isEmpty() ? writer.deleteAll(byKey.keySet()) : writer.writeAll(values);
        }
    }

    private void settle(Map<EncodedKey, Change> batch, Set<EncodedKey> done, @Nullable Throwable failure) {
        Map<EncodedKey, Optional<Envelope>> last = new LinkedHashMap<>();
        batch.forEach((key, change) -> {
            if (done.contains(key) && queue.isLast(key)) {
                last.put(key, Optional.ofNullable(change.value));
            }
        });
        if (!last.isEmpty()) {
            keeping.accept(last); // before the calls that wait are completed
        }
        Settled settled = queue.settle(batch, done);
        written.add(settled.written());
        retried.add(settled.retried());
        dropped.add(settled.dropped());
        if (!settled.outdated().isEmpty()) {
            forgetting.accept(settled.outdated());
        }
        if (done.size() < batch.size()) {
            logFailure(settled, failure);
        }
    }

    private void logFailure(Settled settled, @Nullable Throwable failure) {
        LOG.debug("Cache {}: the writer failed", cacheName, failure);
        StringJoiner classes = new StringJoiner(", caused by ");
        int causes = 0;
        for (Throwable cause = failure; cause != null && causes < MOST_CAUSES; cause = cause.getCause()) {
            classes.add(cause.getClass().getName());
            causes++;
        }
        if (settled.retried() > 0 && pace.permits("retried")) {
            LOG.warn(
                    "Cache {}: the writer failed with {}; {} to be written again later",
                    cacheName,
                    classes,
                    Counted.of(queue.size(), "change"));
        }
        if (settled.dropped() > 0 && pace.permits("dropped")) {
            LOG.error(
                    "Cache {}: {} lost, for which the writer failed as often as writeBehind.attempts allows;"
                            + " the last time with {}",
                    cacheName,
                    Counted.of(dropped.sum(), "change"),
                    classes);
        }
    }

    /**
     * Writes waiting changes without delay; returns whether all were written in time. The others stay queued or are
     * given up. Throws {@code IllegalStateException} if the writer calls this and would wait for itself.
     */
    @Override
    public boolean flush(Duration atMost) {
        if (!atMost.isZero() && CallScope.isWithin(queue::equals)) {
            throw new IllegalStateException(
                    "Cache %s: flushWrites was called by the cache writer, for whose end it would wait; call it elsewhere"
                            .formatted(cacheName));
        }
        CompletableFuture<Boolean> ends = queue.hurry();
        wake();
        return waiter.awaitClose(ends, atMost, () -> false);
    }

    @Override
    public int giveUp(Predicate<EncodedKey> keys) {
        int count = queue.giveUp(keys);
        dropped.add(count);
        return queue.isBusy(keys) ? -1 : count;
    }

    /** Begins to write all changes, and refuses further places; does not wait. */
    @Override
    public void beginClose() {
        synchronized (this) {
            if (closing != null) {
                return;
            }
            closing = Deadline.after(timing.ticker(), options.closeWait());
        }
        queue.end();
        wake();
    }

    /**
     * Waits for all changes as long as the options allow since closing began. The others are lost, and logged as an
     * error.
     */
    @Override
    public void close() {
        beginClose();
        Duration left;
        synchronized (this) {
            left = Duration.ofNanos(Objects.requireNonNull(closing).remainingNanos());
        }
        if (!waiter.awaitClose(queue.drained(), left, () -> false)) {
            int lost = queue.abandon();
            if (lost > 0) {
                dropped.add(lost);
                LOG.error(
                        "Cache {}: closed without writing {} within writeBehind.closeWait, now lost",
                        cacheName,
                        Counted.of(lost, "change"));
            }
        }
        stopTimer();
    }

    @Override
    public void show(CacheTelemetry telemetry) {
        telemetry.showWriteBehind(queue::size, written::sum, retried::sum, dropped::sum);
    }

    private final class PendingFirst implements CacheLoader<K, V> {
        private final CacheLoader<K, V> loader;

        PendingFirst(CacheLoader<K, V> loader) {
            this.loader = loader;
        }

        private @Nullable V valueOf(K key, Change change) {
            return change.value == null
                    ? null
                    : coder.decode(keys.encode(key), change.value).orElse(null);
        }

        @Override
        @SuppressWarnings("NullAway") // JSR-107: null for a key without a value
        public V load(K key) {
            Change before = pending(key);
            if (before != null) {
                return valueOf(key, before);
            }
            V loaded = loader.load(key);
            Change since = pending(key);
            return since == null ? loaded : valueOf(key, since);
        }

        @Override
        public Map<K, V> loadAll(Iterable<? extends K> wanted) {
            Set<K> unknown = new LinkedHashSet<>();
            wanted.forEach(key -> {
                if (pending(key) == null) {
                    unknown.add(key);
                }
            });
            Map<K, V> loaded = unknown.isEmpty() ? null : loader.loadAll(unknown);
            Map<K, V> known = loaded == null ? new LinkedHashMap<>() : new LinkedHashMap<>(loaded);
            wanted.forEach(key -> {
                Change change = pending(key);
                if (change != null) {
                    // removes the key if the change is a removal
                    known.compute(key, (same, before) -> valueOf(key, change));
                }
            });
            return known;
        }
    }
}
