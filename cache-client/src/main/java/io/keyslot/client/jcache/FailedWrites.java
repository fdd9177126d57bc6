// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * Handles puts and removals that did not reach their partition or a writer. If the policy allows it, they succeed and
 * become pending deletes: the outdated value is deleted now, or before the partition is used again.
 */
record FailedWrites<K, V>(
        CacheCalls<K> calls,
        EntryStore<V> store,
        ChangeWriter<K, V> writer,
        MissingPartitionWritePolicy policy,
        ReadPolicy reads,
        CacheTelemetry telemetry) {
    /** Returns whether such writes succeed for their callers. */
    boolean areJournaled() {
        return policy == MissingPartitionWritePolicy.JOURNAL;
    }

    /** Returns whether processors run without their partition: not with a loader or writer, which depend on entries. */
    boolean areProcessorsToo() {
        return areJournaled()
                && reads.missingPartition() != MissingPartitionPolicy.FAIL
                && !writer.isOn()
                && !reads.isReadThrough();
    }

    boolean goesOn(KeyslotException failure) {
        return areJournaled() && writer.first() == null && Failures.isOutage(failure);
    }

    /**
     * Throws the failure unless the policy lets the write succeed and the partition is missing. Interruptions and
     * refusals for good always throw, and so does a full write-behind queue. {@code value} is null for a removal.
     */
    void handle(K key, @Nullable V value, KeyslotException failure) {
        if (!goesOn(failure)) {
            throw failure;
        }
        goOn(key, value, calls.budget(value == null ? "remove" : "put"));
    }

    /** Lets failed writes of a bulk operation succeed if the policy allows it. */
    void publishAll(BulkOutcome<K> outcome, Function<K, @Nullable V> valueOf, CallBudget budget) {
        for (Map.Entry<K, KeyslotException> failed :
                List.copyOf(outcome.failures().entrySet())) {
            if (goesOn(failed.getValue())) {
                try {
                    goOn(failed.getKey(), valueOf.apply(failed.getKey()), budget);
                } catch (CacheOverloadedException | CallInterruptedException full) {
                    return; // the other keys would wait for the queue in vain as well
                }
                outcome.failures().remove(failed.getKey());
            }
        }
    }

    /** Returns whether an operation on all entries goes on without a partition, whose entries are removed later. */
    boolean goesOnWithout(Throwable failure) {
        return areJournaled() && failure instanceof KeyslotException known && Failures.isOutage(known);
    }

    /** Throws the failures of an operation on all entries unless each of their partitions is cleared later. */
    void goOnAfter(CacheException failure, Predicate<Throwable> isLater) {
        if (!Stream.concat(Stream.of(failure), Arrays.stream(failure.getSuppressed()))
                .allMatch(isLater)) {
            throw failure;
        }
        telemetry.onJournaled();
    }

    void forget(K key) {
        store.forget(List.of(calls.encode(key)));
        telemetry.onJournaled();
    }

    /** Has the stored value deleted, and passes the change to a write-behind writer. */
    private void goOn(K key, @Nullable V value, CallBudget budget) {
        EncodedKey encoded = calls.encode(key);
        writer.goOn(encoded, value, budget);
        telemetry.onJournaled();
        store.forget(List.of(encoded));
    }
}
