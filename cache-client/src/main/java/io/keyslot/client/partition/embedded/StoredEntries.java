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
 * The entries of a partition, up to a number of bytes.
 * <ul>
 *   <li>Changes in one hash slot are sequential; those in different slots are usually concurrent. Reads of a single key
 *       never wait.
 *   <li>An expired entry is not visible, even if its memory is not free yet.
 *   <li>An entry that alone exceeds the limit is evicted at once.
 *   <li>There is no thread: the callers do the maintenance.
 * </ul>
 */
final class StoredEntries {
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
                // Called with the key locked, so that index and entries agree.
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

    public long nowNanos() {
        return ticker.read();
    }

    @Nullable
    public EmbeddedEntry find(EncodedKey key) {
        return cache.getIfPresent(key);
    }

    /** Returns whether there is a value, without counting that as a use. */
    public boolean contains(EncodedKey key) {
        return cache.asMap().containsKey(key);
    }

    public SlotTransfer.MemoryUse memory() {
        cache.cleanUp();
        return cache.policy()
                .eviction()
                .map(bound -> new SlotTransfer.MemoryUse(
                        bound.weightedSize().orElse(0), bound.getMaximum(), cache.estimatedSize()))
                .orElseThrow(() -> new IllegalStateException("The map has a bound"));
    }

    /** Removes and reports entries that expired about a second ago or earlier. */
    public void expire() {
        cache.cleanUp();
    }

    /** Returns the keys by range, possibly with some that have just expired. */
    public KeyIndex keys() {
        return keys;
    }

    /** Returns the lock that is required to change the value of a key. */
    public Lock lockOf(EncodedKey key) {
        return locks.of(key.slot());
    }

    /** Runs work, possibly several changes, with the slot locked. */
    public <R> R together(int slot, Supplier<R> work) {
        Lock lock = locks.of(slot);
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /** Runs work with the slots of several keys locked; for a thread without locks. */
    public <R> R together(List<EncodedKey> keys, Supplier<R> work) {
        List<Lock> taken = locks.of(keys);
        taken.forEach(Lock::lock);
        try {
            return work.get();
        } finally {
            taken.forEach(Lock::unlock);
        }
    }

    /** Runs work with all slots locked; for a thread without locks. */
    <R> R alone(Supplier<R> work) {
        locks.lockAll();
        try {
            return work.get();
        } finally {
            locks.unlockAll();
        }
    }

    public EmbeddedFences fences() {
        return fences;
    }

    /** Stores, changes or removes the value of a key as decided, atomically. */
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

    /** A key with a value is listed already; checking again would cost another cache miss. */
    private void list(EncodedKey key, @Nullable EmbeddedEntry before, @Nullable EmbeddedEntry after) {
        if (before == null && after != null) {
            keys.add(key);
        } else if (before != null && after == null) {
            keys.remove(key);
        }
    }

    /** Copies the present entries to another store, with the same expiry. */
    public void copyTo(StoredEntries others) {
        locks.lockAll();
        try {
            fences.copyTo(others.fences);
            cache.asMap().forEach((key, entry) -> others.change(key, absent -> new Change<>(true, entry.copy())));
        } finally {
            locks.unlockAll();
        }
    }

    /** Decides a key's next value by the present one. Called with the slot locked; must be short and not throw. */
    @FunctionalInterface
    public interface Decision<R> {
        Change<R> decide(@Nullable EmbeddedEntry present);
    }

    /** The answer to the caller, and the value to store, or null to remove it. */
    public record Change<R>(R answer, @Nullable EmbeddedEntry next) {}

    /** Applies the expiry of each entry in Caffeine. A read changes nothing. */
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
