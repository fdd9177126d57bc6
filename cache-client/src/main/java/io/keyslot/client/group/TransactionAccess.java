// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.group.Aggregate.AggregateAccess;
import io.keyslot.client.group.ReadSet.KnownAggregate;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateModel.ImpossibleOperationException;
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

/** Executes operations on models of aggregates, which are read as a whole on first use, and records changes. */
record TransactionAccess(TransactionRun run, GroupCalls calls) implements AggregateAccess {
    @Override
    public @Nullable Object apply(
            String called, EncodedKey key, AggregateOperation operation, List<Element> arguments, Expiry expiry) {
        run.begin();
        if (operation.isWrite() || !run.readSet().hasUsed(key)) {
            run.count(1, operation.isWrite() ? sizeOf(arguments) : 0);
        }
        KnownAggregate aggregate = run.aggregate(key, operation.kind());
        Object answer = execute(called, aggregate, key, operation, arguments, expiry);
        if (operation.isChange(answer)) {
            run.record(recorded(key, operation, arguments, answer, expiry));
        }
        return answer;
    }

    private @Nullable Object execute(
            String called,
            KnownAggregate aggregate,
            EncodedKey key,
            AggregateOperation operation,
            List<Element> arguments,
            Expiry expiry) {
        try {
            return aggregate.execute(operation, arguments, expiry);
        } catch (ImpossibleOperationException e) {
            throw calls.notApplied(
                    called,
                    operation.kind().typeName(),
                    new GroupReply.Impossible(key, Objects.requireNonNull(e.getMessage(), "message")));
        }
    }

    /**
     * Converts an operation on the model of an aggregate into a step for the partition that cannot fail: an increment
     * sets the sum, which is correct because the commit is refused if the aggregate has changed.
     */
    private static GroupStep recorded(
            EncodedKey key,
            AggregateOperation operation,
            List<Element> arguments,
            @Nullable Object answer,
            Expiry expiry) {
        return switch (operation) {
            case HASH_INCREMENT, HASH_INCREMENT_BY_DOUBLE ->
                new GroupStep.Apply(
                        key, AggregateOperation.HASH_PUT, List.of(arguments.get(0), element(answer)), expiry);
            case SORTED_INCREMENT ->
                new GroupStep.Apply(
                        key, AggregateOperation.SORTED_ADD, List.of(element(answer), arguments.get(1)), expiry);
            case COUNTER_ADD ->
                new GroupStep.Apply(key, AggregateOperation.COUNTER_SET, List.of(element(answer)), expiry);
            default -> new GroupStep.Apply(key, operation, arguments, expiry);
        };
    }

    private static Element element(@Nullable Object answer) {
        return answer instanceof Element text ? text : Element.of((Long) Objects.requireNonNull(answer, "sum"));
    }

    private static long sizeOf(List<Element> arguments) {
        return arguments.stream().mapToLong(Element::length).sum();
    }

    @Override
    public boolean delete(String called, EncodedKey key, AggregateKind kind) {
        KnownAggregate aggregate = forChange(key, kind);
        if (!aggregate.exists()) {
            return false;
        }
        aggregate.delete();
        run.record(new GroupStep.DeleteAggregate(key, kind));
        return true;
    }

    @Override
    public boolean expire(String called, EncodedKey key, AggregateKind kind, Expiry expiry) {
        KnownAggregate aggregate = forChange(key, kind);
        if (!aggregate.exists()) {
            return false;
        }
        aggregate.expire(expiry);
        run.record(new GroupStep.ExpireAggregate(key, kind, expiry));
        return true;
    }

    private KnownAggregate forChange(EncodedKey key, AggregateKind kind) {
        run.begin();
        run.count(1, 0);
        return run.aggregate(key, kind);
    }

    /** Counts as an operation each time, because the time to live is not part of the read state. */
    @Override
    public Optional<Duration> timeToLive(EncodedKey key, AggregateKind kind) {
        KnownAggregate aggregate = forChange(key, kind);
        Expiry changed = aggregate.expiry();
        if (!aggregate.exists() || changed.isNever()) {
            return Optional.empty();
        }
        long millis = changed.isUnchanged()
                ? (Long) Objects.requireNonNull(run.answer(new GroupStep.TimeToLive(key, kind), kind.typeName()))
                : changed.millis();
        return millis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    @Override
    public @Nullable Element take(Duration atMost, Supplier<@Nullable Element> poll) {
        throw notHere("waiting for an element");
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> async(Supplier<T> operation) {
        throw notHere("an asynchronous operation");
    }

    private IllegalStateException notHere(String operation) {
        return new IllegalStateException(
                "Group %s: %s is not for use in a transaction, which waits for nothing; use it before or after"
                        .formatted(calls.keys().root().text(), operation));
    }
}
