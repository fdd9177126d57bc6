// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A hash, list, set, sorted set or counter in the partition of its group. Each method is one atomic operation there.
 *
 * <p>Safe for use by several threads. Every method may throw {@link
 * io.keyslot.cache.failure.PartitionUnavailableException} (nothing was changed), {@link
 * io.keyslot.cache.failure.OutcomeUnknownException} (a change whose answer was lost), {@link
 * io.keyslot.cache.failure.WrongTypeException} (there is something of another type under the key) and {@link
 * io.keyslot.cache.failure.LimitExceededException} (an element or the group is too large).
 *
 * @param <S> the type of the aggregate itself
 */
public interface RemoteAggregate<S extends RemoteAggregate<S>> {
    /** Returns the key under which it is stored. */
    EntityKey key();

    /** Returns whether there is at least one element. */
    boolean exists();

    /** Removes all elements; returns whether there were any. */
    boolean delete();

    /**
     * Lets the whole aggregate expire after this time; returns whether there is one.
     *
     * @param timeToLive more than zero, rounded up to a millisecond
     */
    boolean expire(Duration timeToLive);

    /** Lets the aggregate live until it is removed or evicted; returns whether there is one. */
    boolean persist();

    /** Returns how long it still lives; empty if it does not expire, or there is none. */
    Optional<Duration> timeToLive();

    /**
     * Returns a handle whose changes let the whole aggregate expire after this time, each anew and in the same step. The
     * changes of other handles leave the expiry as it is; what they create does not expire.
     *
     * @param timeToLive more than zero, rounded up to a millisecond
     */
    S expiringAfter(Duration timeToLive);

    /**
     * Runs an operation on a thread of the manager's pool: {@code hash.async(h -> h.get("name"))}. The pool and its queue
     * are bounded: beyond them the stage fails with {@link io.keyslot.cache.failure.CacheOverloadedException}.
     */
    <T extends @Nullable Object> CompletionStage<T> async(Function<? super S, ? extends T> operation);
}
