// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.invalidation;

import io.keyslot.cache.event.EventGap;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.entry.Elsewhere;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.entry.RemoteObserver;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
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
 * Tells the asynchronous listeners of one cache what others change.
 *
 * <ul>
 *   <li>A partition tells keys. They wait in one queue, each once; some at a time are read, and what is there is told. So of
 *       several changes of one key in short order the last is told, and each once at most.
 *   <li>Only the owner of a key's slot is listened to. What it says while a newer slot map is on its way is not told twice, and may
 *       be missed: a map by which slots have other owners is a gap.
 *   <li>An entry is read and told while no thread of this process changes it: {@link ChangedEntries}. So the events of a key are in
 *       the order of its changes, whoever made them.
 *   <li>What was read before a partition was heard again is not told behind that gap: whoever looks anew then may know more.
 *   <li>What this process has done is not told again: its values have its stamps, its removals are noted in {@link LastPublished}.
 *   <li>What is dropped, or could not be read, is a gap, and so is what a partition could not tell.
 * </ul>
 *
 * <p>Safe for use by several threads.
 */
public final class RemoteChanges<K, V> implements InvalidationListener, Elsewhere<K> {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteChanges.class);

    /** So many are read at a time. */
    private static final int MOST_AT_ONCE = 100;

    /** How long a registration waits for partitions to tell. Those that do not by then are a gap when they do. */
    private static final Duration LONGEST_BEGIN = Duration.ofSeconds(1);

    /** So long keys wait for others, to be read together. */
    private static final long GATHERING = TimeUnit.MILLISECONDS.toNanos(1);

    /** The pause before what could not be done is tried again. */
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    /** After so long a key that cannot be read is given up. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final String prefix;
    private final byte[] prefixBytes;
    private final ChangedEntries<K, V> entries;
    private final EventPublisher<K, V> publisher;
    private final Surroundings around;
    private final RemoteObserver observer;
    private final PublishedKeys waiting = new PublishedKeys();
    private final LastPublished known = new LastPublished();
    private final PendingGaps gaps = new PendingGaps();
    private final AtomicBoolean isReading = new AtomicBoolean(); // or will soon
    private final AtomicBoolean isTellingGaps = new AtomicBoolean(); // or will soon
    private volatile CompletableFuture<Void> begun = CompletableFuture.completedFuture(null);
    private volatile boolean receives; // written with the lock of this held
    private final Object order = new Object(); // of what is told, and of gaps
    private long disconnectedTimes; // guarded by order

    /**
     * What all caches of a manager have in common.
     *
     * @param subscriptions tell which keys change
     * @param threads run reads
     */
    public record Surroundings(InvalidationStream subscriptions, Timing timing, Waiter waiter, Executor threads) {}

    /** @param prefix what the keys of the cache begin with */
    public RemoteChanges(
            String prefix,
            ChangedEntries<K, V> entries,
            EventPublisher<K, V> publisher,
            Surroundings around,
            RemoteObserver observer) {
        this.prefix = prefix;
        this.prefixBytes = prefix.getBytes(StandardCharsets.UTF_8);
        this.entries = entries;
        this.publisher = publisher;
        this.around = around;
        this.observer = observer;
    }

    @Override
    public void refuseOldValues() {
        throw new IllegalArgumentException(
                "Cache %s: a listener requires old values, which nobody knows of changes by others; require none, or set events to local, or register it as synchronous"
                        .formatted(entries.cacheName()));
    }

    @Override
    public synchronized void begin() {
        if (!receives) {
            receives = true;
            begun = around.subscriptions().begin(this);
        }
    }

    @Override
    public void settle() {
        if (receives) {
            around.waiter().awaitClose(begun.thenApply(done -> true), LONGEST_BEGIN, () -> false);
            around.subscriptions().begun(this);
        }
    }

    @Override
    public synchronized void end() {
        if (receives) {
            receives = false;
            around.subscriptions().end(this);
            waiting.clear();
            known.clear();
            gaps.take();
        }
    }

    @Override
    public String prefix() {
        return prefix;
    }

    @Override
    public boolean isOf(EncodedKey key) {
        byte[] bytes = key.bytes();
        return bytes.length >= prefixBytes.length
                && Arrays.equals(bytes, 0, prefixBytes.length, prefixBytes, 0, prefixBytes.length);
    }

    @Override
    public void told(PartitionId by, EncodedKey key) {
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
        observer.onDropped();
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
            gaps.add(gap);
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

    /** It is told nobody that clears, and so not here either. */
    @Override
    public void clearedHere(EncodedKey key) {
        if (receives) {
            note(key, Command.ABSENT);
        }
    }

    @Override
    public void removalPublished(K key) {
        if (receives) {
            note(entries.encode(key), Command.ABSENT);
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
        return Instant.ofEpochMilli(around.timing().ticker().epochMillis());
    }

    private long nanos() {
        return around.timing().ticker().nanos();
    }

    private void readAfter(long pause) {
        if (isReading.compareAndSet(false, true)) {
            around.timing().schedule(this::beginReading, pause);
        }
    }

    private void beginReading() {
        try {
            around.threads().execute(this::readSome);
        } catch (RejectedExecutionException full) {
            isReading.set(false);
            readAfter(PAUSE);
        }
    }

    private void readSome() {
        boolean isDone = false;
        try {
            isDone = publisher.room() > MOST_AT_ONCE && publishSome(waiting.take(MOST_AT_ONCE));
        } finally {
            isReading.set(false);
            if (!waiting.isEmpty()) {
                readAfter(isDone ? GATHERING : PAUSE);
            }
        }
    }

    /** Returns whether something was done with one of them. */
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
            LOG.warn("Cache {}: entries that others have changed cannot be read", entries.cacheName(), e);
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
     * Returns whether listeners know of it, as far as they shall.
     *
     * @param before the gaps by when it was read
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
        K decoded = entries.decode(key);
        if (decoded == null) {
            return true; // something else that begins in the same way
        }
        synchronized (order) {
            if (disconnectedTimes != before || !publisher.left(decoded, left.value())) {
                return false; // read again: it is as old as what the gap was about
            }
        }
        note(key, left.stamp());
        observer.onReceived();
        return true;
    }

    private void again(EncodedKey key, long since) {
        if (nanos() - since > LONGEST_WAIT.toNanos()) {
            known.missed(key);
            observer.onDropped();
            missed(EventGap.Reason.UNREAD, at(since));
        } else if (!waiting.add(key, since)) {
            dropped();
        }
    }

    private void publishGapsAfter(long pause) {
        if (isTellingGaps.compareAndSet(false, true)) {
            around.timing().schedule(this::publishGaps, pause);
        }
    }

    private void publishGaps() {
        isTellingGaps.set(false); // what is missed from now on is told by the next, or by this one
        if (receives && !gaps.isEmpty() && !publisher.missed(this::takeGaps)) {
            publishGapsAfter(PAUSE);
        }
    }

    private List<EventGap> takeGaps() {
        List<EventGap> taken = gaps.take();
        taken.forEach(gap -> observer.onGap(gap.reason()));
        return taken;
    }
}
