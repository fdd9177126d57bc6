// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.FailSafeObserver;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.loading.ReadPolicy;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.writing.BulkOutcome;
import io.keyslot.client.writing.ChangeWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a put or remove that did not reach its partition, and of which no writer was told before. If the
 * policy is to go on, the cache's copy is out of date: it is deleted, now or before the partition is used again.
 */
public final class FailedWrites<K, V> {
    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final ChangeWriter<K, V> writer;
    private final MissingPartitionWritePolicy policy;
    private final ReadPolicy reads;
    private final FailSafeObserver observer;

    /** @param observer hears of each write that is a success for its caller and was not done */
    public FailedWrites(
            CacheCalls<K> calls,
            EntryStore<V> store,
            ChangeWriter<K, V> writer,
            MissingPartitionWritePolicy policy,
            ReadPolicy reads,
            FailSafeObserver observer) {
        this.calls = calls;
        this.store = store;
        this.writer = writer;
        this.policy = policy;
        this.reads = reads;
        this.observer = observer;
    }

    /** Returns whether such a write is a success for the caller. */
    boolean areJournaled() {
        return policy == MissingPartitionWritePolicy.JOURNAL;
    }

    /**
     * Returns whether a processor goes without its partition. Not with a loader or a writer: what they are told depends on what
     * is in the cache.
     */
    boolean areProcessorsToo() {
        return areJournaled()
                && reads.missingPartition() != MissingPartitionPolicy.FAIL
                && !writer.isOn()
                && !reads.isReadThrough();
    }

    /** Returns whether a write that failed so is a success for the caller. */
    boolean goesOn(KeyslotException failure) {
        return areJournaled() && writer.first() == null && Failures.isOutage(failure);
    }

    /**
     * Throws the failure unless the policy is to go on and the partition is missing: it is not because a thread was interrupted,
     * or a command is refused for good.
     *
     * @param value what was put, null if the entry was removed
     * @throws io.keyslot.cache.failure.CacheOverloadedException if a writer that comes second cannot be told
     */
    void tell(K key, @Nullable V value, KeyslotException failure) {
        if (!goesOn(failure)) {
            throw failure;
        }
        goOn(key, value, calls.budget(value == null ? "remove" : "put"));
    }

    /** Has copies deleted that are out of date; if the policy is to go on, what failed counts as done. */
    void publishAll(BulkOutcome<K> outcome, Function<K, @Nullable V> valueOf, CallBudget budget) {
        for (Map.Entry<K, KeyslotException> failed :
                List.copyOf(outcome.failures().entrySet())) {
            if (goesOn(failed.getValue())) {
                try {
                    goOn(failed.getKey(), valueOf.apply(failed.getKey()), budget);
                } catch (CacheOverloadedException | CallInterruptedException full) {
                    return; // the rest would wait in vain as well
                }
                outcome.failures().remove(failed.getKey());
            }
        }
    }

    /** Has the copy deleted, whatever the policy. */
    void forget(K key) {
        store.forget(List.of(calls.encode(key)));
        observer.onJournaled();
    }

    /** Has the copy deleted, and a writer that comes second told. */
    private void goOn(K key, @Nullable V value, CallBudget budget) {
        EncodedKey encoded = calls.encode(key);
        writer.goOn(encoded, value, budget);
        observer.onJournaled();
        store.forget(List.of(encoded));
    }
}
