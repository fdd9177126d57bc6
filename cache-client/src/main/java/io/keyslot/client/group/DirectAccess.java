// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.concurrent.AsyncCalls;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.group.Aggregate.AggregateAccess;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends each operation directly to the group's partition, as one command. Safe for use by several threads. */
record DirectAccess(GroupedCaches caches, GroupCalls calls, StampSource stamps, Polling polling, AsyncCalls async)
        implements AggregateAccess {
    @Override
    public @Nullable Object apply(
            String called, EncodedKey key, AggregateOperation operation, List<Element> arguments, Expiry expiry) {
        return answer(called, operation.kind(), new GroupStep.Apply(key, operation, arguments, expiry));
    }

    @Override
    public boolean delete(String called, EncodedKey key, AggregateKind kind) {
        return number(called, kind, new GroupStep.DeleteAggregate(key, kind)) > 0;
    }

    @Override
    public boolean expire(String called, EncodedKey key, AggregateKind kind, Expiry expiry) {
        return number(called, kind, new GroupStep.ExpireAggregate(key, kind, expiry)) > 0;
    }

    @Override
    public Optional<Duration> timeToLive(EncodedKey key, AggregateKind kind) {
        long millis = number("timeToLive", kind, new GroupStep.TimeToLive(key, kind));
        return millis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    @Override
    public @Nullable Element take(Duration atMost, Supplier<@Nullable Element> poll) {
        return polling.await(atMost, poll);
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> async(Supplier<T> operation) {
        caches.checkOpen();
        return async.call(operation);
    }

    private long number(String operation, AggregateKind kind, GroupStep step) {
        return (Long) Objects.requireNonNull(answer(operation, kind, step), operation);
    }

    private @Nullable Object answer(String operation, AggregateKind kind, GroupStep step) {
        caches.checkOpen();
        GroupCommand command = new GroupCommand(calls.keys().home(), 0, List.of(), List.of(step), stamps.next());
        GroupReply reply = calls.answer(command, operation);
        if (reply instanceof GroupReply.Applied applied) {
            return applied.answers().get(0);
        }
        throw calls.notApplied(operation, kind.typeName(), reply);
    }
}
