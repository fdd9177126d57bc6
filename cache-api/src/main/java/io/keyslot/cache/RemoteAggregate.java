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
 * <p>Safe for use by several threads. Every method may throw
 * {@link io.keyslot.cache.failure.PartitionUnavailableException} (nothing was changed),
 * {@link io.keyslot.cache.failure.OutcomeUnknownException} (the answer to a change was lost),
 * {@link io.keyslot.cache.failure.WrongTypeException} (the key has another type) and
 * {@link io.keyslot.cache.failure.LimitExceededException} (an element or the group is too large).
 */
public interface RemoteAggregate<S extends RemoteAggregate<S>> {
    /** Returns the key under which it is stored. */
    EntityKey key();

    /** Returns whether there is at least one element. */
    boolean exists();

    /** Removes all elements; returns whether there were any. */
    boolean delete();

    /** Sets the time to live, more than zero, rounded up to a millisecond; returns whether the aggregate exists. */
    boolean expire(Duration timeToLive);

    /** Removes the time to live of the aggregate; returns whether it exists. */
    boolean persist();

    /** Returns the remaining time to live; empty if it does not expire or does not exist. */
    Optional<Duration> timeToLive();

    /**
     * Returns a handle whose changes also set the time to live of the whole aggregate, in the same step; it is more
     * than zero, rounded up to a millisecond. Changes through other handles leave the expiry unchanged; aggregates that
     * they create do not expire.
     */
    S expiringAfter(Duration timeToLive);

    /**
     * Runs an operation in the manager's bounded thread pool: {@code hash.async(h -> h.get("name"))}. When it is full,
     * the stage fails with {@link io.keyslot.cache.failure.CacheOverloadedException}.
     */
    <T extends @Nullable Object> CompletionStage<T> async(Function<? super S, ? extends T> operation);
}
