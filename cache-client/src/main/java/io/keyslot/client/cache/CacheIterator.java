// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.cache.ListedEntries.StoredEntry;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.KeyScan;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Iterates over the entries of all partitions, one partition after the other, each entry once. For use by one thread.
 *
 * <p>An entry that exists during the whole iteration is returned; one that is added or removed meanwhile may be. As a
 * partition may list a key twice, the iterator remembers the keys of the present partition. The entries of a partition
 * that cannot be asked are skipped with a warning, or the iteration fails if the cache's policy for missing partitions
 * is {@code FAIL}. An interruption, or a closed cache, makes it fail as well.
 */
public final class CacheIterator<K, V> implements Iterator<Cache.Entry<K, V>> {
    private static final Logger LOG = LoggerFactory.getLogger(CacheIterator.class);

    private static final int READ_AHEAD_AT_FIRST = 100;

    private static final int MOST_READ_AHEAD = 500;

    /** The highest age of a returned value, so that the caller does not see expired entries. */
    private static final Duration LONGEST_READ_AHEAD = Duration.ofMillis(50);

    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final ObjLongConsumer<EncodedKey> returned;
    private final Consumer<KeyslotException> missing;
    private final Consumer<K> remover;
    private final Runnable requireOpen;
    private final KeyScan scan;
    private final KeyScan.Walk walk;
    private final Set<EncodedKey> seen = new HashSet<>();
    private final ListedEntries<K, V> listed;
    private final Deque<EncodedKey> keys = new ArrayDeque<>();
    private final Deque<StoredEntry<K, V>> values = new ArrayDeque<>();
    private int valuesReadAhead = READ_AHEAD_AT_FIRST;
    private Deadline freshUntil;
    private boolean isOver;
    private @Nullable StoredEntry<K, V> next;
    private @Nullable StoredEntry<K, V> last;

    /**
     * Creates an iterator; {@code returned} gets the key and stamp of each returned entry, and {@code missing} the failure
     * of a partition, whose entries are then skipped, or throws it.
     */
    CacheIterator(
            CacheCalls<K> calls,
            KeyScan scan,
            EntryStore<V> store,
            ObjLongConsumer<EncodedKey> returned,
            Consumer<KeyslotException> missing,
            Consumer<K> remover,
            Runnable requireOpen) {
        this.calls = calls;
        this.store = store;
        this.returned = returned;
        this.missing = missing;
        this.remover = remover;
        this.requireOpen = requireOpen;
        this.scan = scan;
        this.walk = scan.walk();
        this.listed = new ListedEntries<>(calls, scan::slotOf, "an iteration passes over entries");
        this.freshUntil = Deadline.after(calls.ticker(), Duration.ZERO);
    }

    /** Returns whether the next entry, or the end, is known without asking a partition. */
    public boolean isAtHand() {
        return next != null || isOver || (!values.isEmpty() && !freshUntil.isOver());
    }

    @Override
    public boolean hasNext() {
        requireOpen.run();
        while (next == null) {
            if (values.isEmpty() && !readValues()) {
                isOver = true;
                return false;
            }
            next = freshValue();
        }
        return true;
    }

    private @Nullable StoredEntry<K, V> freshValue() {
        if (freshUntil.isOver() && !values.isEmpty()) {
            // A slow caller gets fewer values ahead, so that few of them are read twice.
            valuesReadAhead = Math.max(1, valuesReadAhead / 4);
            while (!values.isEmpty()) {
                keys.addFirst(scan.keyOf(values.removeLast().entityKey()));
            }
            readValues();
        }
        return values.poll();
    }

    /** Reads the values of some keys ahead; returns whether there may be more entries. */
    private boolean readValues() {
        while (keys.isEmpty()) {
            if (!addPage()) {
                return false;
            }
        }
        if (!freshUntil.isOver()) {
            // A caller or a process that was slow only once gets more values again.
            valuesReadAhead = Math.min(2 * valuesReadAhead, MOST_READ_AHEAD);
        }
        Deque<EncodedKey> some = new ArrayDeque<>();
        while (!keys.isEmpty() && some.size() < valuesReadAhead) {
            some.add(keys.remove());
        }
        readValuesOf(some);
        return true;
    }

    /** Adds a page of keys, each key once, though a partition may list a key twice; returns false at the end. */
    private boolean addPage() {
        if (!walk.hasNext()) {
            return false;
        }
        if (walk.isAtNewPart()) {
            seen.clear();
        }
        try {
            walk.next(() -> calls.budget("iterator")).stream().filter(seen::add).forEach(keys::add);
        } catch (KeyslotException e) {
            passOver(e);
            walk.passOver();
        }
        return true;
    }

    private void readValuesOf(Deque<EncodedKey> some) {
        List<EncodedKey> encoded = new ArrayList<>(some);
        CallBudget budget = calls.budget("iterator");
        freshUntil = Deadline.after(calls.ticker(), LONGEST_READ_AHEAD);
        List<Answer<V>> answers = store.getAll(encoded, budget);
        answers.forEach(Answer::knownOrMissing);
        for (int i = 0; i < encoded.size(); i++) {
            StoredEntry<K, V> entry = listed.entryOf(encoded.get(i), answers.get(i));
            if (entry != null) {
                values.add(entry);
            }
        }
        KeyslotException failure = ListedEntries.failureOf(answers);
        if (failure != null) {
            passOver(failure);
        }
    }

    private void passOver(KeyslotException failure) {
        missing.accept(failure);
        LOG.warn("Cache {}: an iterator passes over entries of a missing partition", calls.name(), failure);
    }

    @Override
    public Cache.Entry<K, V> next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException("No more entries");
        }
        StoredEntry<K, V> entry = next;
        next = null;
        last = entry;
        returned.accept(scan.keyOf(entry.entityKey()), entry.stamp());
        return entry;
    }

    @Override
    public void remove() {
        if (last == null) {
            throw new IllegalStateException(
                    "There is no entry to remove: next() was not called since the last remove()");
        }
        remover.accept(last.key());
        last = null;
    }
}
