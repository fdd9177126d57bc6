// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
    static final int OVERHEAD_BYTES = 100;

    private static final int STRIPES = 256;

    private final Ticker ticker;
    /**
     * Reentrant locks of the hash slots, each for several slots: enough for little contention, few enough to take all of
     * them. A thread that holds one must not take another, except by {@link #together} and {@link #alone}, which take
     * them in order and are for threads that hold none.
     */
    private final List<Lock> locks =
            Stream.<Lock>generate(ReentrantLock::new).limit(STRIPES).toList();

    private final KeyIndex keys = new KeyIndex();
    private final Cache<EncodedKey, EmbeddedEntry> cache;
    private final List<EmbeddedPushes> tracking = new CopyOnWriteArrayList<>();
    private final EmbeddedFences fences = new EmbeddedFences(this);
    private final EmbeddedFeeds feeds = new EmbeddedFeeds(this::nowNanos);

    StoredEntries(long maximumBytes, Ticker ticker) {
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

    void track(EmbeddedPushes connection) {
        tracking.add(connection);
    }

    void untrack(EmbeddedPushes connection) {
        tracking.remove(connection);
    }

    private void publishChanges(EncodedKey key) {
        if (!tracking.isEmpty()) {
            tracking.forEach(connection -> connection.changes(key));
        }
    }

    long nowNanos() {
        return ticker.read();
    }

    @Nullable
    EmbeddedEntry find(EncodedKey key) {
        return cache.getIfPresent(key);
    }

    /** Returns whether there is a value, without counting that as a use. */
    boolean contains(EncodedKey key) {
        return cache.asMap().containsKey(key);
    }

    SlotTransfer.MemoryUse memory() {
        cache.cleanUp();
        return cache.policy()
                .eviction()
                .map(bound -> new SlotTransfer.MemoryUse(
                        bound.weightedSize().orElse(0), bound.getMaximum(), cache.estimatedSize(), ""))
                .orElseThrow(() -> new IllegalStateException("The map has a bound"));
    }

    /** Returns the keys by range, possibly with some that have just expired. */
    KeyIndex keys() {
        return keys;
    }

    /** Returns a page of the wanted keys that have a value; see {@link KeyIndex#page}. */
    Reply<ScanPage> page(String cursor, int count, Predicate<EncodedKey> wanted) {
        return keys.page(cursor, count, key -> wanted.test(key) && contains(key));
    }

    /** Returns the lock that is required to change the value of a key. */
    Lock lockOf(EncodedKey key) {
        return lockOf(key.slot());
    }

    private Lock lockOf(int slot) {
        return locks.get(slot % STRIPES);
    }

    /** Returns the distinct locks of some keys, in the order in which a thread without locks must take them. */
    List<Lock> locksOf(List<EncodedKey> keys) {
        BitSet needed = new BitSet(STRIPES);
        keys.forEach(key -> needed.set(key.slot() % STRIPES));
        List<Lock> needing = new ArrayList<>(needed.cardinality());
        for (int stripe = needed.nextSetBit(0); stripe >= 0; stripe = needed.nextSetBit(stripe + 1)) {
            needing.add(locks.get(stripe));
        }
        return needing;
    }

    /** Runs work, possibly several changes, with the slot locked. */
    <R> R together(int slot, Supplier<R> work) {
        Lock lock = lockOf(slot);
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /** Runs work with the slots of several keys locked; for a thread without locks. */
    <R> R together(List<EncodedKey> keys, Supplier<R> work) {
        List<Lock> taken = locksOf(keys);
        taken.forEach(Lock::lock);
        try {
            return work.get();
        } finally {
            taken.forEach(Lock::unlock);
        }
    }

    /** Runs work with all slots locked; for a thread without locks. */
    <R> R alone(Supplier<R> work) {
        locks.forEach(Lock::lock);
        try {
            return work.get();
        } finally {
            locks.forEach(Lock::unlock);
        }
    }

    EmbeddedFences fences() {
        return fences;
    }

    EmbeddedFeeds feeds() {
        return feeds;
    }

    /** Stores, changes or removes the value of a key as decided, atomically. */
    <R> R change(EncodedKey key, Decision<R> decision) {
        Lock lock = lockOf(key.slot());
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
        @SuppressWarnings("ReferenceEquality") // An unchanged entry is the same object.
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
    void copyTo(StoredEntries others) {
        locks.forEach(Lock::lock);
        try {
            fences.copyTo(others.fences);
            cache.asMap().forEach((key, entry) -> others.change(key, absent -> new Change<>(true, entry.copy())));
        } finally {
            locks.forEach(Lock::unlock);
        }
    }

    /** Decides a key's next value by the present one. Called with the slot locked; must be short and not throw. */
    @FunctionalInterface
    interface Decision<R> {
        Change<R> decide(@Nullable EmbeddedEntry present);
    }

    /** The answer to the caller, and the value to store, or null to remove it. */
    record Change<R>(R answer, @Nullable EmbeddedEntry next) {}

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
