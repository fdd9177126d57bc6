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
 * Changes single entries atomically without a lock: reads value and stamp, decides, and applies the decision if the
 * stamp is unchanged; otherwise starts again. A value that only this process has changed lately is not read, as the
 * condition on the stamp confirms it.
 */
public final class Changes<K, V> {
    private final CacheCalls<K> calls;
    private final EventPublisher<K, V> publisher;
    private final DirectUpdate<K, V> cacheFirst;
    private final @Nullable WriteThroughUpdate<K, V> writerFirst;
    private final ChangeLoop<K, V> loop;

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

    DirectUpdate<K, V> cacheFirst() {
        return cacheFirst;
    }

    /** Returns whether changes do not need old values: there are no listeners, and no writer is called first. */
    boolean isUnheard() {
        return writerFirst == null && !publisher.hasListeners();
    }

    boolean mayBeBlind(ExpiryRules expiry) {
        return isUnheard() && cacheFirst.mayBeBlind(expiry);
    }

    @Nullable
    WriteThroughUpdate<K, V> writerFirst() {
        return writerFirst;
    }

    /** Changes an entry, with its lock if listeners or a writer must receive changes in order. */
    <T> T change(String operation, K key, ExpiryRules expiry, ChangeLoop.Decision<V, T> decision) {
        return change(operation, key, expiry, decision, calls.budget(operation));
    }

    /** As above, with the remaining time of a call. */
    <T> T change(String operation, K key, ExpiryRules expiry, ChangeLoop.Decision<V, T> decision, CallBudget left) {
        ChangeLoop.Request<K, V, T> request =
                new ChangeLoop.Request<>(operation, key, calls.encode(key), expiry, decision, mayAssume());
        return publisher.hasListeners() || cacheFirst.writer().isOn()
                ? loop.inTurn(request, left)
                : loop.untilApplied(request, left);
    }

    /**
     * Puts a value, or removes the entry if it is null; returns the old entry. With {@code goesOn}, a write-through
     * writer is called even if the partition does not answer.
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

    /** A writer needs the present entry, which has to be read. */
    private boolean mayAssume() {
        return !cacheFirst.writer().isOn();
    }

    /** Changes an entry with its lock in this process; {@code readsFirst} forbids a decision on an assumed state. */
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
