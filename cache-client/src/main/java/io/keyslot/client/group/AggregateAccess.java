// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.aggregate.AggregateKind;
import io.keyslot.client.aggregate.AggregateOperation;
import io.keyslot.client.aggregate.Element;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Expiry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
     * Refuses what cannot be done here, such as waiting within a transaction.
     *
     * @throws IllegalStateException if this is a transaction
     */
    void requireImmediate(String operation);
}
