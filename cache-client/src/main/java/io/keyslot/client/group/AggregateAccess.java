// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a handle reaches its aggregate: in its partition at once, or in a transaction. What cannot be done throws what {@link
 * io.keyslot.cache.RemoteAggregate} promises.
 */
interface AggregateAccess {
    /**
     * Does an operation; returns what the operation says.
     *
     * @param called the method that the application called, here and below
     */
    @Nullable
    Object apply(String called, EncodedKey key, AggregateOperation operation, List<Element> arguments, Expiry expiry);

    /** Removes the aggregate; returns whether there was one. */
    boolean delete(String called, EncodedKey key, AggregateKind kind);

    /** Lets the aggregate expire at another time; returns whether there is one. */
    boolean expire(String called, EncodedKey key, AggregateKind kind, Expiry expiry);

    /** Returns how long the aggregate still lives; empty if it does not expire, or there is none. */
    Optional<Duration> timeToLive(EncodedKey key, AggregateKind kind);

    /**
     * Asks until there is an element in a list, or the time is over.
     *
     * @param poll removes and returns an element, or returns null
     * @throws IllegalStateException if this is a transaction, which waits for nothing
     */
    @Nullable
    Element take(EncodedKey list, Duration atMost, Supplier<@Nullable Element> poll);

    /**
     * Has an operation done by another thread.
     *
     * @throws IllegalStateException if this is a transaction
     */
    <T extends @Nullable Object> CompletionStage<T> async(Supplier<T> operation);
}
