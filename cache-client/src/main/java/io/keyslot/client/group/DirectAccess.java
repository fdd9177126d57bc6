// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.aggregate.AggregateKind;
import io.keyslot.client.aggregate.AggregateOperation;
import io.keyslot.client.aggregate.Element;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Does each operation in the group's partition at once: one command, one answer. Safe for use by several threads. */
final class DirectAccess implements AggregateAccess {
    private final GroupParts parts;

    DirectAccess(GroupParts parts) {
        this.parts = parts;
    }

    @Override
    public @Nullable Object apply(
            String called, EncodedKey key, AggregateOperation operation, List<Element> arguments, Expiry expiry) {
        Object answer = answer(called, operation.kind(), new GroupStep.Apply(key, operation, arguments, expiry));
        if (operation == AggregateOperation.LIST_ADD_FIRST || operation == AggregateOperation.LIST_ADD_LAST) {
            parts.takers().arrived(key, arguments.size());
        }
        return answer;
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

    /** Does nothing: everything can be done here. */
    @Override
    public void requireImmediate(String operation) {}

    private long number(String operation, AggregateKind kind, GroupStep step) {
        return (Long) Objects.requireNonNull(answer(operation, kind, step), operation);
    }

    private @Nullable Object answer(String operation, AggregateKind kind, GroupStep step) {
        parts.checkOpen();
        GroupReply reply = parts.calls().answer(parts.command(step), parts.budget(operation));
        if (reply instanceof GroupReply.Applied applied) {
            return applied.answers().get(0);
        }
        throw parts.calls().notApplied(operation, kind.typeName(), reply);
    }
}
