// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.MissCause;
import io.keyslot.cache.near.NearEnd;
import io.keyslot.cache.replica.ReplicaAnswer;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.UnreadableValueException.Reason;
import io.keyslot.slot.PartitionId;
import java.util.concurrent.CompletionStage;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.cache.Cache;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * Receives what happens in one cache, for meters and observations. By default, nothing is done with it.
 *
 * <p>Any thread may call these methods, also I/O threads: they must be short and must not block or throw, except for
 * what an observed call throws. Thread-safe.
 */
public interface CacheTelemetry extends AutoCloseable {
    CacheTelemetry NONE = new CacheTelemetry() {};

    /** Returns whether calls are to be passed to {@link #call} and {@link #callLater}. */
    default boolean observesCalls() {
        return false;
    }

    @FunctionalInterface
    @NullUnmarked // the result may be null where its type allows it, which NullAway does not see in lambdas
    interface Call<T, X extends Exception> {
        T call() throws X;
    }

    /** Runs and observes a call until it ends. The key is null if the call has no single key. */
    default <T extends @Nullable Object, X extends Exception> T call(
            String operation, @Nullable Object key, Call<T, X> call) throws X {
        return call.call();
    }

    default void run(String operation, @Nullable Object key, Runnable call) {
        this.<@Nullable Void, RuntimeException>call(operation, key, () -> {
            call.run();
            return null;
        });
    }

    /** Observes an asynchronous call, which the executing thread ends, or the stage if the operation does not run. */
    default <T extends @Nullable Object> CompletionStage<T> callLater(
            String operation, @Nullable Object key, Supplier<CompletionStage<T>> call) {
        return call.get();
    }

    /** Called for reads that returned a value, stale ones included. */
    default void onHits(long count) {}

    /** Called for reads that found no value, before a load. */
    default void onMisses(long count) {}

    default void onPuts(long count) {}

    default void onRemovals(long count) {}

    /**
     * Called on the caller's thread for each entry that its partition did not have, or had only as a stale value, which
     * {@link #onHits} counts.
     */
    default void onAbsent(MissCause cause) {}

    default void onUnreadable(Lookup.Outcome outcome) {}

    /** Called if the payload of a valid envelope cannot be decrypted or decoded. */
    default void onUndecodable(Reason reason) {}

    /** Called if a write did not reach its partition; the stored value is deleted before it is used again. */
    default void onJournaled() {}

    /** Called if an operation failed for another reason, and its caller continued as if there were no cache. */
    default void onForgiven(String operation, RuntimeException failure) {}

    /** The reason of a load; of several reasons, the last in this order is reported. */
    enum LoadCause {
        /** A present entry was loaded again in the background. */
        REFRESH,
        EXPIRED,
        MISS,
        MISSING_PARTITION
    }

    /** Called after the loader, which may have loaded many entries at once, on the same thread. */
    default void onLoad(LoadCause cause, boolean succeeded, long nanos) {}

    /** Called if the loader was not called because of a limit. */
    default void onLoadRejected(LoadCause cause) {}

    /** Called if a stale value was served while it is loaded again, or because the load failed. */
    default void onStale(LoadCause instead) {}

    /** Called if copies of entries of missing partitions were stored, or have answered reads. */
    default void onCopies(boolean areStored, int count) {}

    default void onFeedBatch(String group, int changes, boolean isGap) {}

    /** Shows how many changes a group of the feed is behind at a partition; NaN unless this process reads it. */
    default void showFeed(String group, PartitionId partition, DoubleSupplier lag) {}

    /**
     * Called for a random sample of hits of the near cache. {@code ageNanos} is the highest age of the near entry: the
     * partition has answered a request that was sent then.
     */
    default void onNearServed(long ageNanos) {}

    default void onNearEnded(NearEnd cause, long entries) {}

    /** Called for a number of reads; for those from the primary, before the reply. */
    default void onReplicaRead(ReplicaAnswer answer, int entries) {}

    /** Shows what the other methods have counted of the whole cache. */
    default void show(Cache<?, ?> cache) {}

    /** Shows the near cache: hits and misses, which never decrease, and the approximate number and size of entries. */
    default void showNear(LongSupplier hits, LongSupplier misses, LongSupplier entries, LongSupplier bytes) {}

    default void showReplicaReads() {}

    /** Shows the write-behind queue: waiting keys, and written, retried and lost changes. */
    default void showWriteBehind(IntSupplier queued, LongSupplier written, LongSupplier retried, LongSupplier lost) {}

    @Override
    default void close() {}
}
