// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.RemoteAggregate;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

abstract class AggregateHandle<S extends RemoteAggregate<S>> implements RemoteAggregate<S> {
    private static final Map<AggregateKind, AggregateOperation> SIZES = Map.of(
            AggregateKind.HASH, AggregateOperation.HASH_SIZE,
            AggregateKind.LIST, AggregateOperation.LIST_SIZE,
            AggregateKind.SET, AggregateOperation.SET_SIZE,
            AggregateKind.SORTED_SET, AggregateOperation.SORTED_SIZE);

    final Aggregate aggregate;
    private final Function<Aggregate, S> maker;

    /** {@code maker} creates the same handle of an aggregate with another expiry. */
    AggregateHandle(Aggregate aggregate, Function<Aggregate, S> maker) {
        this.aggregate = aggregate;
        this.maker = maker;
    }

    @Override
    public final EntityKey key() {
        return aggregate.key();
    }

    @Override
    public boolean exists() {
        return aggregate.count("exists", sizing()) > 0;
    }

    /** Returns the number of elements; not for counters. */
    public final int size() {
        return aggregate.count("size", sizing());
    }

    private AggregateOperation sizing() {
        return Objects.requireNonNull(SIZES.get(aggregate.kind()), "a counter has no size");
    }

    @Override
    public final boolean delete() {
        return delete("delete");
    }

    final boolean delete(String called) {
        return aggregate.access().delete(called, aggregate.stored(), aggregate.kind());
    }

    @Override
    public final boolean expire(Duration timeToLive) {
        return aggregate.access().expire("expire", aggregate.stored(), aggregate.kind(), Expiry.after(timeToLive));
    }

    @Override
    public final boolean persist() {
        return aggregate.access().expire("persist", aggregate.stored(), aggregate.kind(), Expiry.NEVER);
    }

    @Override
    public final Optional<Duration> timeToLive() {
        return aggregate.access().timeToLive(aggregate.stored(), aggregate.kind());
    }

    @Override
    public final S expiringAfter(Duration timeToLive) {
        return maker.apply(aggregate.withExpiry(Expiry.after(timeToLive)));
    }

    @Override
    public final <T extends @Nullable Object> CompletionStage<T> async(Function<? super S, ? extends T> operation) {
        Objects.requireNonNull(operation, "operation");
        return aggregate.access().async(() -> operation.apply(maker.apply(aggregate)));
    }
}
