// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
 * The keys of one partition whose stored values must not be served any more, each until its deletion is confirmed.
 *
 * <ul>
 *   <li>Every addition of a key has a number. A batch is about all additions up to its own number; a key that was added
 *       again since stays when the batch is confirmed.
 *   <li>More keys than {@value #MOST_KEYS} are not kept: then everything that the partition has stored must be given up.
 *   <li>A key is <em>owed</em> from the moment at which its deletion was refused, or may have been, until it is confirmed:
 *       what is stored under it is out of date, and the server goes on having it. All keys are, after an overflow.
 *   <li>A deletion is <em>refused</em> if a server that answers does no writes: nobody knows how long. One that is under way,
 *       or whose answer was lost, will be over in a moment.
 *   <li>Safe for use by several threads. Nothing here does I/O or waits.
 * </ul>
 */
final class PendingDeletes {
    /** About a megabyte of keys; their deletion takes 20 commands. */
    static final int MOST_KEYS = 10_000;

    /** A command about more keys would keep the partition from answering anybody else for too long. */
    static final int MOST_KEYS_OF_A_BATCH = 500;

    private static final long NONE = 0;

    /** The number of each key's last addition, the lowest first. Guarded by this, as the others. */
    private final Map<EncodedKey, Long> additions = new LinkedHashMap<>();

    /** Some of the above. Guarded by this. */
    private final Set<EncodedKey> pending = new HashSet<>();

    /** Some of those. Guarded by this. */
    private final Set<EncodedKey> refused = new HashSet<>();

    /** Why the last deletion was refused. Guarded by this. */
    private String whyRefused = "";

    /** Whether there is anything here; written while holding this. */
    private volatile boolean used;

    /** The caches that are still to be cleared, by the prefix of their keys. Guarded by this. */
    private final Map<String, Clear> clears = new LinkedHashMap<>();

    private long latest = NONE;

    /** The addition for which there was no room, until everything was given up for it. */
    private long overflow = NONE;

    /** What is sent and confirmed together. */
    sealed interface Batch {
        /** Returns the number of the last addition that this is about. */
        long upTo();

        /** Returns what does away with the stored values. */
        Command<?> command();
    }

    /** Some keys. */
    record Keys(List<EncodedKey> keys, long upTo) implements Batch {
        @Override
        public Command<?> command() {
            return new Command.RemoveAll(keys);
        }
    }

    /** Everything that the partition has stored. */
    record Everything(long upTo) implements Batch {
        @Override
        public Command<?> command() {
            return new Command.NewEpoch();
        }
    }

    /**
     * The removal of all entries of one cache, which the call that asked for it could not finish. Until it is confirmed, all keys
     * of the cache count as refused.
     *
     * @param asOfCache gives a key what the cache's keys have besides their bytes
     */
    record Clear(String prefix, UnaryOperator<EncodedKey> asOfCache, long number) {
        boolean has(EncodedKey key) {
            byte[] start = prefix.getBytes(StandardCharsets.UTF_8);
            byte[] bytes = key.bytes();
            return bytes.length >= start.length && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
        }
    }

    synchronized void addClear(String prefix, UnaryOperator<EncodedKey> asOfCache) {
        clears.put(prefix, new Clear(prefix, asOfCache, ++latest));
        used = true;
    }

    synchronized List<Clear> clears() {
        return List.copyOf(clears.values());
    }

    /** Takes note that all keys of a cache that were listed since the clear was added are removed. */
    synchronized void confirm(Clear done) {
        clears.remove(done.prefix(), done);
        used = isUsed();
    }

    private boolean isToBeCleared(EncodedKey key) {
        return !clears.isEmpty() && clears.values().stream().anyMatch(clear -> clear.has(key));
    }

    /** Adds keys; returns false if they did not all fit, so that everything must be given up instead. */
    synchronized boolean add(List<EncodedKey> keys) {
        boolean fits = true;
        for (EncodedKey key : keys) {
            latest++;
            additions.remove(key); // a key that is added again goes to the end
            if (additions.size() == MOST_KEYS) {
                additions.clear();
                pending.clear();
                refused.clear();
                overflow = latest;
                fits = false;
            } else {
                additions.put(key, latest);
            }
        }
        used = isUsed();
        return fits;
    }

    /** As if more keys had been added than are kept: everything must be given up. */
    synchronized void addEverything() {
        latest++;
        additions.clear();
        pending.clear();
        refused.clear();
        overflow = latest;
        used = true;
    }

    /** Returns whether more was added than is kept, and everything is to be given up still. */
    synchronized boolean isEverything() {
        return overflow != NONE;
    }

    /** Returns what is to be done first, empty if there is nothing. It stays here until it is confirmed. */
    synchronized Optional<Batch> next() {
        if (overflow != NONE) {
            return Optional.of(new Everything(latest));
        }
        List<EncodedKey> oldest =
                additions.keySet().stream().limit(MOST_KEYS_OF_A_BATCH).toList();
        return oldest.isEmpty() ? Optional.empty() : Optional.of(new Keys(oldest, latest));
    }

    /** Returns a batch of these keys, at most {@value #MOST_KEYS_OF_A_BATCH}, which were added before. */
    synchronized Keys batchOf(List<EncodedKey> keys) {
        return new Keys(keys, latest);
    }

    /** Takes note that a batch was done; returns how many keys need no deletion any more. */
    synchronized int confirm(Batch done) {
        return done instanceof Keys batch ? confirmKeys(batch) : confirmEverything(done.upTo());
    }

    private int confirmKeys(Keys done) {
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

    /** Takes note that a batch was not done, as far as is known: those of its keys that still wait are owed from now on. */
    synchronized void hasPending(Batch failed) {
        if (failed instanceof Keys batch) {
            batch.keys().stream().filter(additions::containsKey).forEach(pending::add);
        }
    }

    /** As {@link #hasPending}, of a batch that a server has refused which does no writes. */
    synchronized void refuse(Batch failed, String why) {
        hasPending(failed);
        whyRefused = why;
        if (failed instanceof Keys batch) {
            batch.keys().stream().filter(additions::containsKey).forEach(refused::add);
        }
    }

    /** Returns whether nothing waits. Costs no more than to look. */
    boolean isEmpty() {
        return !used;
    }

    /** Returns whether the key is owed. */
    synchronized boolean hasPending(EncodedKey key) {
        return overflow != NONE || pending.contains(key) || isToBeCleared(key);
    }

    /** Returns whether the deletion of what is stored under the key was refused, so that it may take long. */
    synchronized boolean isRefused(EncodedKey key) {
        return overflow != NONE || refused.contains(key) || isToBeCleared(key);
    }

    /** Returns why a deletion was refused, if one was. */
    synchronized String whyRefused() {
        return whyRefused;
    }

    /** Returns whether the deletion of what is stored under the key is not confirmed, be it owed or under way. */
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

    /** Returns the number of the last addition. */
    synchronized long latest() {
        return latest;
    }

    /** Returns whether nothing is left of all additions up to this number. */
    synchronized boolean isDoneUpTo(long number) {
        // After an overflow nobody knows which keys were dropped.
        return overflow == NONE
                && (additions.isEmpty() || additions.values().iterator().next() > number);
    }

    /** Returns how many keys wait; {@value #MOST_KEYS} if everything must be given up. */
    synchronized int size() {
        return overflow == NONE ? additions.size() : MOST_KEYS;
    }

    /**
     * Takes note that a batch could not be done for now, because slots are on their way: those of its keys that still wait
     * are owed, and count as added anew.
     */
    synchronized void postpone(Keys failed) {
        for (EncodedKey key : failed.keys()) {
            if (additions.remove(key) != null) {
                additions.put(key, ++latest);
                pending.add(key);
            }
        }
    }

    /** Takes some keys out, whose deletion is nothing of this partition any more; returns them. None after an overflow. */
    synchronized List<EncodedKey> release(Predicate<EncodedKey> keys) {
        List<EncodedKey> released = additions.keySet().stream().filter(keys).toList();
        released.forEach(key -> {
            additions.remove(key);
            pending.remove(key);
            refused.remove(key);
        });
        used = isUsed();
        return released;
    }

    /** Forgets everything; returns how many keys waited. */
    synchronized int drop() {
        int waiting = size();
        additions.clear();
        pending.clear();
        refused.clear();
        clears.clear();
        overflow = NONE;
        used = false;
        return waiting;
    }
}
