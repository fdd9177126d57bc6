// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.writing.Contentions;
import io.keyslot.client.writing.EntryChange;
import io.keyslot.client.writing.WriteThroughUpdate;
import org.jspecify.annotations.Nullable;

/**
 * Changes one entry by what it is: reads value and stamp, decides, and applies the decision if the stamp is still the
 * same; otherwise reads and decides again. So each change is atomic against those of every other process, without a lock. What
 * this process alone has changed lately need not be read: the stamp says whether it still is what it was.
 */
public final class Changes<K, V> {
    private final CacheCalls<K> calls;
    private final EventPublisher<K, V> publisher;
    private final DirectUpdate<K, V> cacheFirst;
    private final @Nullable WriteThroughUpdate<K, V> writerFirst;
    private final ChangeLoop<K, V> loop;

    /** @param writerFirst null unless there is a writer that comes first */
    public Changes(
            CacheCalls<K> calls,
            EntryStore<V> store,
            EventPublisher<K, V> publisher,
            Contentions contentions,
            DirectUpdate<K, V> cacheFirst,
            @Nullable WriteThroughUpdate<K, V> writerFirst) {
        this.calls = calls;
        this.publisher = publisher;
        this.cacheFirst = cacheFirst;
        this.writerFirst = writerFirst;
        this.loop = new ChangeLoop<>(calls, store, publisher, contentions, cacheFirst, writerFirst);
    }

    /** Returns what changes the cache before its writer, if there is one, hears of it. */
    DirectUpdate<K, V> cacheFirst() {
        return cacheFirst;
    }

    /** Returns whether nobody needs to know what was there before a change: neither a writer that comes first nor a listener. */
    boolean isUnheard() {
        return writerFirst == null && !publisher.hasListeners();
    }

    /** Returns whether a value may be put without knowing what was there. */
    boolean mayBeBlind(ExpiryRules expiry) {
        return isUnheard() && cacheFirst.mayBeBlind(expiry);
    }

    /** Returns what changes the cache after its writer, null if no writer comes first. */
    @Nullable
    WriteThroughUpdate<K, V> writerFirst() {
        return writerFirst;
    }

    /** Changes an entry, in turn with other threads of this process if listeners or a writer must hear of changes in order. */
    <T> T change(String operation, K key, ExpiryRules expiry, ChangeLoop.Decision<V, T> decision) {
        return change(operation, key, expiry, decision, calls.budget(operation));
    }

    /** As above, the first attempt within what is left of the time of a call that has asked partitions before. */
    <T> T change(String operation, K key, ExpiryRules expiry, ChangeLoop.Decision<V, T> decision, CallBudget left) {
        ChangeLoop.Request<K, V, T> request =
                new ChangeLoop.Request<>(operation, key, calls.encode(key), expiry, decision, mayAssume());
        return publisher.hasListeners() || cacheFirst.writer().isOn()
                ? loop.inTurn(request, left)
                : loop.untilApplied(request, left);
    }

    /**
     * Puts a value, or removes the entry if that is null, whatever is there; returns what was.
     *
     * @param goesOn whether a writer that comes first is asked although the partition does not answer
     */
    Answer<V> exchange(String operation, EntryChange<K, V> wanted, boolean goesOn) {
        if (writerFirst != null) {
            return writerFirst.change(operation, wanted, goesOn);
        }
        V value = wanted.value();
        return change(
                operation,
                wanted.key(),
                wanted.expiry(),
                (current, left) -> value == null ? Step.remove(current) : Step.set(value, current));
    }

    /** A writer is told by what is there: for that it has to be read. */
    private boolean mayAssume() {
        return !cacheFirst.writer().isOn();
    }

    /**
     * Changes an entry, in turn with other threads of this process.
     *
     * @param readsFirst whether it must not be decided by what the entry is assumed to be
     */
    <T> T changeInTurn(
            String operation,
            K key,
            EncodedKey encoded,
            ExpiryRules expiry,
            boolean readsFirst,
            ChangeLoop.Decision<V, T> decision) {
        return loop.inTurn(
                new ChangeLoop.Request<>(operation, key, encoded, expiry, decision, mayAssume() && !readsFirst), null);
    }
}
