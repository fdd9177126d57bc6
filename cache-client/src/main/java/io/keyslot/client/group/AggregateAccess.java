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
 * How a handle reaches its aggregate: directly, or in a transaction. Failures throw the exceptions of
 * {@link io.keyslot.cache.RemoteAggregate}. {@code called} is the method that the application called.
 */
interface AggregateAccess {
    @Nullable
    Object apply(String called, EncodedKey key, AggregateOperation operation, List<Element> arguments, Expiry expiry);

    boolean delete(String called, EncodedKey key, AggregateKind kind);

    boolean expire(String called, EncodedKey key, AggregateKind kind, Expiry expiry);

    /** Returns the remaining time to live; empty if the aggregate does not expire, or does not exist. */
    Optional<Duration> timeToLive(EncodedKey key, AggregateKind kind);

    /**
     * Polls until there is an element in a list, or the time is over; {@code poll} removes and returns one, or null.
     *
     * @throws IllegalStateException in a transaction, which does not wait
     */
    @Nullable
    Element take(EncodedKey list, Duration atMost, Supplier<@Nullable Element> poll);

    /** Throws {@code IllegalStateException} in a transaction. */
    <T extends @Nullable Object> CompletionStage<T> async(Supplier<T> operation);
}
