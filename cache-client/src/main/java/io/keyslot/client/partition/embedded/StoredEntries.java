// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a partition has stored, up to a number of bytes.
 *
 * <ul>
 *   <li>Changes in a hash slot happen one after the other; those in different slots do not wait for each other, as a rule.
 *       Reads of a single key wait for nothing.
 *   <li>An expired entry is not seen any more, whether or not its memory is free again.
 *   <li>An entry that alone is larger than the bound is evicted as soon as it is stored.
 *   <li>There is no thread: the callers do the maintenance.
 * </ul>
 */
final class StoredEntries {
    /** About what an entry costs besides its bytes. */
    public static final int OVERHEAD_BYTES = 100;

    private final Ticker ticker;
    private final SlotLocks locks = new SlotLocks();
    private final KeyIndex keys = new KeyIndex();
    private final Cache<EncodedKey, EmbeddedEntry> cache;
    private final List<EmbeddedTracking> tracking = new CopyOnWriteArrayList<>();
    private final EmbeddedFences fences = new EmbeddedFences(this);

    public StoredEntries(long maximumBytes, Ticker ticker) {
        this.ticker = ticker;
        this.cache = Caffeine.newBuilder()
                .ticker(ticker)
                .executor(Runnable::run)
                .maximumWeight(maximumBytes)
                .weigher(StoredEntries::weight)
                .expireAfter(new AsStored())
                // Called while the key is locked, so that index and entries agree.
                .evictionListener((key, entry, cause) -> forget(key))
                .build();
    }

    private static int weight(EncodedKey key, EmbeddedEntry entry) {
        return (int) Math.min(Integer.MAX_VALUE, key.length() + entry.sizeBytes() + OVERHEAD_BYTES);
    }

    private void forget(@Nullable EncodedKey key) {
        if (key != null) {
            publishChanges(key);
            keys.remove(key);
        }
    }

    /** Tells somebody of changes until {@link #untrack}. */
    void track(EmbeddedTracking somebody) {
        tracking.add(somebody);
    }

    public void untrack(EmbeddedTracking somebody) {
        tracking.remove(somebody);
    }

    private void publishChanges(EncodedKey key) {
        if (!tracking.isEmpty()) {
            tracking.forEach(somebody -> somebody.changes(key));
        }
    }

    /** Returns the time by which entries expire. */
    public long nowNanos() {
        return ticker.read();
    }

    @Nullable
    public EmbeddedEntry find(EncodedKey key) {
        return cache.getIfPresent(key);
    }

    /** Returns whether there is something, without counting that as a use of it. */
    public boolean contains(EncodedKey key) {
        return cache.asMap().containsKey(key);
    }

    /** Returns what memory is in use, of how much. */
    public SlotTransfer.MemoryUse memory() {
        cache.cleanUp();
        return cache.policy()
                .eviction()
                .map(bound -> new SlotTransfer.MemoryUse(
                        bound.weightedSize().orElse(0), bound.getMaximum(), cache.estimatedSize()))
                .orElseThrow(() -> new IllegalStateException("The map has a bound"));
    }

    /** Takes away, and tells, what has expired about a second ago or earlier. */
    public void expire() {
        cache.cleanUp();
    }

    /** Returns the keys by ranges; among them may be some that have just expired. */
    public KeyIndex keys() {
        return keys;
    }

    /** Returns the lock of the slot of a key. Whoever holds it may change what is there, and nobody else does. */
    public Lock lockOf(EncodedKey key) {
        return locks.of(key.slot());
    }

    /** Does work, which may be several changes, before anything else is changed in the slot of all its keys. */
    public <R> R together(int slot, Supplier<R> work) {
        Lock lock = locks.of(slot);
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /** As for one slot, for those of several keys; for a thread that holds no lock. */
    public <R> R together(List<EncodedKey> keys, Supplier<R> work) {
        List<Lock> taken = locks.of(keys);
        taken.forEach(Lock::lock);
        try {
            return work.get();
        } finally {
            taken.forEach(Lock::unlock);
        }
    }

    /** Does work while nothing else is changed in any slot; for a thread that holds no lock. */
    <R> R alone(Supplier<R> work) {
        locks.lockAll();
        try {
            return work.get();
        } finally {
            locks.unlockAll();
        }
    }

    /** Returns the fences of slots that are on their way. */
    public EmbeddedFences fences() {
        return fences;
    }

    /** Stores, changes or removes what is under the key, as decided, before anything else happens to it. */
    public <R> R change(EncodedKey key, Decision<R> decision) {
        Lock lock = locks.of(key.slot());
        lock.lock();
        try {
            return changeHere(key, decision);
        } finally {
            lock.unlock();
        }
    }

    private <R> R changeHere(EncodedKey key, Decision<R> decision) {
        fences.note(key);
        Deciding<R> deciding = new Deciding<>(decision);
        cache.asMap().compute(key, deciding);
        return Objects.requireNonNull(deciding.made, "the map did not ask for a decision")
                .answer();
    }

    /** One change, as the map asks for it. */
    private final class Deciding<R>
            implements BiFunction<EncodedKey, @Nullable EmbeddedEntry, @Nullable EmbeddedEntry> {
        private final Decision<R> decision;
        private @Nullable Change<R> made;

        Deciding(Decision<R> decision) {
            this.decision = decision;
        }

        @Override
        public @Nullable EmbeddedEntry apply(EncodedKey key, @Nullable EmbeddedEntry present) {
            Change<R> change = decision.decide(present);
            made = change;
            if (change.next() != present) {
                publishChanges(key);
            }
            list(key, present, change.next());
            return change.next();
        }
    }

    /** What stays is listed already: looking again would be as far from the processor as finding the entry was. */
    private void list(EncodedKey key, @Nullable EmbeddedEntry before, @Nullable EmbeddedEntry after) {
        if (before == null && after != null) {
            keys.add(key);
        } else if (before != null && after == null) {
            keys.remove(key);
        }
    }

    /** Stores everything that is here at this moment elsewhere, to expire at the same instants. */
    public void copyTo(StoredEntries others) {
        locks.lockAll();
        try {
            fences.copyTo(others.fences);
            cache.asMap().forEach((key, entry) -> others.change(key, absent -> new Change<>(true, entry.copy())));
        } finally {
            locks.unlockAll();
        }
    }

    /** What shall be under a key, given what is. Called while the slot is locked: it must be short and must not throw. */
    @FunctionalInterface
    public interface Decision<R> {
        Change<R> decide(@Nullable EmbeddedEntry present);
    }

    /**
     * A decision.
     *
     * @param answer what the caller gets
     * @param next what is stored from now on, null for nothing
     */
    public record Change<R>(R answer, @Nullable EmbeddedEntry next) {}

    /** Lets Caffeine expire an entry when the entry says so. Reading it changes nothing. */
    private static final class AsStored implements Expiry<EncodedKey, EmbeddedEntry> {
        @Override
        public long expireAfterCreate(EncodedKey key, EmbeddedEntry entry, long nowNanos) {
            return entry.nanosLeft(nowNanos);
        }

        @Override
        public long expireAfterUpdate(EncodedKey key, EmbeddedEntry entry, long nowNanos, long currentDuration) {
            return entry.nanosLeft(nowNanos);
        }

        @Override
        public long expireAfterRead(EncodedKey key, EmbeddedEntry entry, long nowNanos, long currentDuration) {
            return currentDuration;
        }
    }
}
