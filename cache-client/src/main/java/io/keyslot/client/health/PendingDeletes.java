// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.stored.EncodedKey;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The keys of one partition whose stored values must not be served, each until its deletion is confirmed.
 *
 * <ul>
 *   <li>Each addition of a key has a number. A batch covers the additions up to its number; a key that was added again
 *       later stays when the batch is confirmed.
 *   <li>At most {@value #MOST_KEYS} keys are kept; with more, everything that the partition has stored must be
 *       invalidated.
 *   <li>A key is <em>pending</em> from the moment its deletion failed or may have failed until it is confirmed: the
 *       server keeps an outdated value. After an overflow, all keys are pending.
 *   <li>A deletion is <em>refused</em> if a running server does not execute writes; that may last. A deletion in
 *       flight, or one whose answer was lost, is settled in a moment.
 * </ul>
 *
 * <p>Thread-safe. No method does I/O or waits.
 */
final class PendingDeletes {
    /** About a megabyte of keys; their deletion takes 20 commands. */
    static final int MOST_KEYS = 10_000;

    /** A longer command would delay the partition's other clients too much. */
    static final int MOST_KEYS_OF_A_BATCH = 500;

    private static final long NONE = 0;

    /** The number of each key's last addition, in ascending order. Guarded by this, like the other fields. */
    private final Map<EncodedKey, Long> additions = new LinkedHashMap<>();

    /** A subset of the keys of {@code additions}. */
    private final Set<EncodedKey> pending = new HashSet<>();

    private final Set<EncodedKey> refused = new HashSet<>();

    private String whyRefused = "";

    private volatile boolean used;

    private final Map<String, Clear> clears = new LinkedHashMap<>();

    private long latest = NONE;

    /** The addition that did not fit, until everything is invalidated. */
    private long overflow = NONE;

    /** What to delete next: these keys, or everything; it covers the additions up to a number. */
    record Batch(List<EncodedKey> keys, boolean isEverything, long upTo) {}

    /**
     * The removal of all entries of one cache, which the original call could not finish. Until it is confirmed, all
     * keys of the cache count as refused. {@code asOfCache} adds the cache's attributes to a key.
     */
    record Clear(String prefix, UnaryOperator<EncodedKey> asOfCache, long number) {
        boolean has(EncodedKey key) {
            return key.startsWith(prefix.getBytes(StandardCharsets.UTF_8));
        }
    }

    synchronized void addClear(String prefix, UnaryOperator<EncodedKey> asOfCache) {
        clears.put(prefix, new Clear(prefix, asOfCache, ++latest));
        used = true;
    }

    synchronized List<Clear> clears() {
        return List.copyOf(clears.values());
    }

    /** Confirms that all keys of a cache that were listed since the clear was added are removed. */
    synchronized void confirm(Clear done) {
        clears.remove(done.prefix(), done);
        used = isUsed();
    }

    private boolean isToBeCleared(EncodedKey key) {
        return !clears.isEmpty() && clears.values().stream().anyMatch(clear -> clear.has(key));
    }

    /** Adds keys; returns false if they did not fit, so that everything must be invalidated. */
    synchronized boolean add(List<EncodedKey> keys) {
        boolean fits = true;
        for (EncodedKey key : keys) {
            latest++;
            additions.remove(key); // move a repeated key to the end
            if (additions.size() == MOST_KEYS) {
                forgetKeys();
                overflow = latest;
                fits = false;
            } else {
                additions.put(key, latest);
            }
        }
        used = isUsed();
        return fits;
    }

    private void forgetKeys() {
        additions.clear();
        pending.clear();
        refused.clear();
    }

    /** Invalidates everything; returns false, as {@link #add} does then. */
    synchronized boolean addEverything() {
        latest++;
        forgetKeys();
        overflow = latest;
        used = true;
        return false;
    }

    synchronized boolean isEverything() {
        return overflow != NONE;
    }

    /** Returns the next batch, empty if there is none. It stays here until it is confirmed. */
    synchronized Optional<Batch> next() {
        if (overflow != NONE) {
            return Optional.of(new Batch(List.of(), true, latest));
        }
        List<EncodedKey> oldest =
                additions.keySet().stream().limit(MOST_KEYS_OF_A_BATCH).toList();
        return oldest.isEmpty() ? Optional.empty() : Optional.of(new Batch(oldest, false, latest));
    }

    synchronized Batch batchOf(List<EncodedKey> keys) {
        return new Batch(keys, false, latest);
    }

    /** Confirms a batch; returns how many keys need no deletion any more. */
    synchronized int confirm(Batch done) {
        return done.isEverything() ? confirmEverything(done.upTo()) : confirmKeys(done);
    }

    private int confirmKeys(Batch done) {
        int before = additions.size();
        for (EncodedKey key : done.keys()) {
            Long number = additions.get(key);
            if (number != null && number <= done.upTo()) {
                additions.remove(key);
                settle(key);
            }
        }
        used = isUsed();
        return before - additions.size();
    }

    private void settle(EncodedKey key) {
        pending.remove(key);
        refused.remove(key);
    }

    private boolean isUsed() {
        return overflow != NONE || !additions.isEmpty() || !clears.isEmpty();
    }

    /** Marks the keys of an unconfirmed batch as pending, except those settled meanwhile. */
    synchronized void keepPending(Batch failed) {
        failed.keys().stream().filter(additions::containsKey).forEach(pending::add);
    }

    /** Like {@link #hasPending}, for a batch that a server refused because it does not execute writes. */
    synchronized void refuse(Batch failed, String why) {
        keepPending(failed);
        whyRefused = why;
        failed.keys().stream().filter(additions::containsKey).forEach(refused::add);
    }

    /** Returns whether there is nothing to delete. Costs one volatile read. */
    boolean isEmpty() {
        return !used;
    }

    synchronized boolean hasPending(EncodedKey key) {
        return overflow != NONE || pending.contains(key) || isToBeCleared(key);
    }

    synchronized boolean isRefused(EncodedKey key) {
        return overflow != NONE || refused.contains(key) || isToBeCleared(key);
    }

    synchronized String whyRefused() {
        return whyRefused;
    }

    /** Returns whether the deletion of the key is not confirmed, even if it is in flight. */
    synchronized boolean has(EncodedKey key) {
        return overflow != NONE || additions.containsKey(key) || isToBeCleared(key);
    }

    private int confirmEverything(long upTo) {
        if (overflow <= upTo) {
            overflow = NONE;
        }
        int before = additions.size();
        Iterator<Map.Entry<EncodedKey, Long>> oldest = additions.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<EncodedKey, Long> addition = oldest.next();
            if (addition.getValue() > upTo) {
                break;
            }
            oldest.remove();
            settle(addition.getKey());
        }
        used = isUsed();
        return before - additions.size();
    }

    synchronized long latest() {
        return latest;
    }

    /** Returns whether all additions up to this number are settled. */
    synchronized boolean isDoneUpTo(long number) {
        // After an overflow it is unknown which keys were dropped.
        return overflow == NONE
                && (additions.isEmpty() || additions.values().iterator().next() > number);
    }

    synchronized int size() {
        return overflow == NONE ? additions.size() : MOST_KEYS;
    }

    /** Postpones a batch whose slots are moving: its remaining keys are pending, and count as newly added. */
    synchronized void postpone(Batch failed) {
        for (EncodedKey key : failed.keys()) {
            if (additions.remove(key) != null) {
                additions.put(key, ++latest);
                pending.add(key);
            }
        }
    }

    /** Removes and returns keys for which this partition is no longer responsible. None after an overflow. */
    synchronized List<EncodedKey> release(Predicate<EncodedKey> keys) {
        List<EncodedKey> released = additions.keySet().stream().filter(keys).toList();
        released.forEach(key -> {
            additions.remove(key);
            settle(key);
        });
        used = isUsed();
        return released;
    }

    /** Drops everything; returns how many keys there were. */
    synchronized int drop() {
        int waiting = size();
        forgetKeys();
        clears.clear();
        overflow = NONE;
        used = false;
        return waiting;
    }
}
