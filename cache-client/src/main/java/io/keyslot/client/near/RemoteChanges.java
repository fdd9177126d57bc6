// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.event.EventGap;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.entry.EventDispatcher;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.slot.PartitionId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes changes by other clients to the asynchronous listeners of one cache.
 *
 * <ul>
 *   <li>Reported keys wait in a queue without duplicates; some at a time are read, and their state is published. So of
 *       several quick changes of one key, the last is published, and each at most once.
 *   <li>Only reports of the owner of a key's slot count. During a change of the slot map, reports are not published
 *       twice, and may be missed: a map that changes owners causes a gap.
 *   <li>An entry is read and published while no thread of this process changes it; see {@link ChangedEntries}. So the
 *       events of a key are in the order of its changes.
 *   <li>An entry read before a gap is not published after it, because listeners that reload after the gap may know
 *       more.
 *   <li>Changes by this process are not published again: its values have its stamps, and {@link LastPublished} records
 *       its removals.
 *   <li>Dropped keys, failed reads and missed reports are gaps.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class RemoteChanges<K, V> implements InvalidationListener, EventDispatcher.Elsewhere<K> {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteChanges.class);

    /** The number of keys read at a time. */
    private static final int MOST_AT_ONCE = 100;

    /**
     * How long a registration waits for partitions. Those that do not report changes by then cause a gap when they do.
     */
    private static final Duration LONGEST_BEGIN = Duration.ofSeconds(1);

    /** How long a key waits for others, to be read together. */
    private static final long GATHERING = TimeUnit.MILLISECONDS.toNanos(1);

    /** The pause before a retry. */
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    /** The time after which an unreadable key is dropped. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final String prefix;
    private final byte[] prefixBytes;
    private final ChangedEntries<K, V> entries;
    private final EventPublisher<K, V> publisher;
    private final InvalidationStream subscriptions;
    private final Timing timing;
    private final Waiter waiter;
    private final Executor threads;
    private final CacheTelemetry telemetry;
    private final PublishedKeys waiting = new PublishedKeys();
    private final LastPublished known = new LastPublished();
    private final Map<EventGap.Reason, EventGap> gaps = new EnumMap<>(EventGap.Reason.class); // guarded by itself
    private final AtomicBoolean isReading = new AtomicBoolean(); // or soon will be
    private final AtomicBoolean isTellingGaps = new AtomicBoolean(); // or soon will be
    private volatile CompletableFuture<Void> begun = CompletableFuture.completedFuture(null);
    private volatile boolean receives; // written while holding this
    private final Object order = new Object(); // of events and gaps
    private long disconnectedTimes; // guarded by order

    public RemoteChanges(
            String prefix,
            ChangedEntries<K, V> entries,
            EventPublisher<K, V> publisher,
            InvalidationStream subscriptions,
            Timing timing,
            Waiter waiter,
            Executor threads,
            CacheTelemetry telemetry) {
        this.prefix = prefix;
        this.prefixBytes = prefix.getBytes(StandardCharsets.UTF_8);
        this.entries = entries;
        this.publisher = publisher;
        this.subscriptions = subscriptions;
        this.timing = timing;
        this.waiter = waiter;
        this.threads = threads;
        this.telemetry = telemetry;
    }

    @Override
    public void refuseOldValues() {
        throw new IllegalArgumentException(
                "Cache %s: a listener requires old values, which are unknown for changes by other clients; require none, or set events to local, or register it as synchronous"
                        .formatted(entries.calls().name()));
    }

    @Override
    public synchronized void begin() {
        if (!receives) {
            receives = true;
            begun = subscriptions.begin(this);
        }
    }

    @Override
    public void settle() {
        if (receives) {
            waiter.awaitClose(begun.thenApply(done -> true), LONGEST_BEGIN, () -> false);
            subscriptions.begun(this);
        }
    }

    @Override
    public synchronized void end() {
        if (receives) {
            receives = false;
            subscriptions.end(this);
            waiting.clear();
            known.clear();
            takePendingGaps();
        }
    }

    @Override
    public String prefix() {
        return prefix;
    }

    @Override
    public boolean isOf(EncodedKey key) {
        return key.startsWith(prefixBytes);
    }

    @Override
    public void invalidated(PartitionId by, EncodedKey key) {
        if (receives && entries.isOwner(by, key)) {
            if (waiting.add(key, nanos())) {
                readAfter(GATHERING);
            } else {
                known.missed(key);
                dropped();
            }
        }
    }

    @Override
    public void dropped() {
        telemetry.onEventDropped();
        missed(EventGap.Reason.OVERFLOW, now());
    }

    private void missed(EventGap.Reason reason, Instant since) {
        publishSoon(new EventGap(reason, since, now()));
    }

    @Override
    public void missed(EventGap gap) {
        synchronized (order) {
            disconnectedTimes++;
            known.missed();
        }
        publishSoon(gap);
    }

    private void publishSoon(EventGap gap) {
        if (receives) {
            synchronized (gaps) {
                gaps.merge(gap.reason(), gap, EventGap::and); // at most one for each reason
            }
            publishGapsAfter(PAUSE);
        }
    }

    private long disconnectedTimes() {
        synchronized (order) {
            return disconnectedTimes;
        }
    }

    @Override
    public void passed() {
        known.passed();
    }

    /** Clearing publishes no events locally, and so none here. */
    @Override
    public void clearedHere(EncodedKey key) {
        if (receives) {
            note(key, Command.ABSENT);
        }
    }

    @Override
    public void removalPublished(K key) {
        if (receives) {
            note(entries.calls().encode(key), Command.ABSENT);
        }
    }

    @Override
    public void changedHere(EncodedKey key) {
        known.forget(key);
    }

    private void note(EncodedKey key, long state) {
        if (!known.note(key, state)) {
            missed(EventGap.Reason.OVERFLOW, now());
        }
    }

    private Instant now() {
        return Instant.ofEpochMilli(timing.ticker().epochMillis());
    }

    private long nanos() {
        return timing.ticker().nanos();
    }

    private void readAfter(long pause) {
        if (isReading.compareAndSet(false, true)) {
            timing.schedule(this::beginReading, pause);
        }
    }

    private void beginReading() {
        try {
            threads.execute(this::readSome);
        } catch (RejectedExecutionException full) {
            isReading.set(false);
            readAfter(PAUSE);
        }
    }

    private void readSome() {
        boolean isDone = false;
        try {
            isDone = publisher.events().room() > MOST_AT_ONCE && publishSome(waiting.take(MOST_AT_ONCE));
        } finally {
            isReading.set(false);
            if (!waiting.isEmpty()) {
                readAfter(isDone ? GATHERING : PAUSE);
            }
        }
    }

    /** Returns whether at least one of them is done. */
    private boolean publishSome(Map<EncodedKey, Long> some) {
        AtomicBoolean isDone = new AtomicBoolean();
        long before = disconnectedTimes();
        try {
            entries.read(List.copyOf(some.keySet()), (key, left) -> {
                if (isPublished(key, left, before)) {
                    isDone.set(true);
                } else {
                    again(key, some.getOrDefault(key, nanos()));
                }
            });
        } catch (RuntimeException e) {
            LOG.warn(
                    "Cache {}: entries that others have changed cannot be read",
                    entries.calls().name(),
                    e);
            missed(
                    EventGap.Reason.UNREAD,
                    at(some.values().stream().min(Long::compare).orElse(nanos())));
        }
        return isDone.get();
    }

    private Instant at(long nanos) {
        return now().minusNanos(nanos() - nanos);
    }

    /**
     * Returns whether the key is done, because listeners know its state or need not. {@code before} is the number of
     * gaps at the time of the read.
     */
    private boolean isPublished(EncodedKey key, ChangedEntries.Left<V> left, long before) {
        return switch (left.finding()) {
            case UNKNOWN -> false;
            case PASSING -> true;
            case OWN -> {
                known.forget(key);
                yield true;
            }
            case VALUE, NOTHING -> known.isKnown(key, left.stamp()) || isTellable(key, left, before);
        };
    }

    private boolean isTellable(EncodedKey key, ChangedEntries.Left<V> left, long before) {
        K decoded = entries.calls().decodeOrNull(key);
        if (decoded == null) {
            return true; // a foreign key with the same prefix
        }
        synchronized (order) {
            if (disconnectedTimes != before || !publisher.left(decoded, left.value())) {
                return false; // read again, as this state is older than the gap
            }
        }
        note(key, left.stamp());
        telemetry.onEvent();
        return true;
    }

    private void again(EncodedKey key, long since) {
        if (nanos() - since > LONGEST_WAIT.toNanos()) {
            known.missed(key);
            telemetry.onEventDropped();
            missed(EventGap.Reason.UNREAD, at(since));
        } else if (!waiting.add(key, since)) {
            dropped();
        }
    }

    private void publishGapsAfter(long pause) {
        if (isTellingGaps.compareAndSet(false, true)) {
            timing.schedule(this::publishGaps, pause);
        }
    }

    private void publishGaps() {
        isTellingGaps.set(false); // later gaps are published by this run or by the next one
        if (receives && hasGaps() && !publisher.missed(this::takeGaps)) {
            publishGapsAfter(PAUSE);
        }
    }

    private List<EventGap> takeGaps() {
        List<EventGap> taken = takePendingGaps();
        taken.forEach(gap -> telemetry.onEventGap(gap.reason()));
        return taken;
    }

    private boolean hasGaps() {
        synchronized (gaps) {
            return !gaps.isEmpty();
        }
    }

    private List<EventGap> takePendingGaps() {
        synchronized (gaps) {
            List<EventGap> taken = List.copyOf(gaps.values());
            gaps.clear();
            return taken;
        }
    }
}
