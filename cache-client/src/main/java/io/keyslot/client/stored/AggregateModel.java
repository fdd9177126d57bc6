// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate in memory, which executes the operations of its kind like a server. Results are copies. Not thread-safe.
 *
 * <p>Numbers equal those of a server as {@code double}s, but their texts may differ: those of scores, which also differ
 * between servers, and the last digits of {@link AggregateOperation#HASH_INCREMENT_BY_DOUBLE}, which servers compute in
 * the longest binary format of their processor, and models in decimal.
 */
public abstract sealed class AggregateModel permits CounterModel, HashModel, ListModel, SetModel, SortedSetModel {
    /** The approximate overhead of an element in bytes. */
    static final int OVERHEAD_BYTES = 50;

    private final AggregateKind kind;

    /** The bytes of the elements, with {@link #OVERHEAD_BYTES} for each of them. */
    long sizeBytes;

    AggregateModel(AggregateKind kind) {
        this.kind = kind;
    }

    public static AggregateModel empty(AggregateKind kind) {
        return switch (kind) {
            case HASH -> new HashModel();
            case LIST -> new ListModel();
            case SET -> new SetModel();
            case SORTED_SET -> new SortedSetModel();
            case COUNTER -> new CounterModel();
        };
    }

    /** Creates a model with elements in the order of {@link #elements}. */
    public static AggregateModel of(AggregateKind kind, List<Element> elements) {
        AggregateModel model = empty(kind);
        model.addAll(elements);
        return model;
    }

    public final AggregateKind kind() {
        return kind;
    }

    /**
     * Executes an operation and returns its result; see {@link AggregateOperation}. Changes nothing if it throws.
     *
     * @throws ImpossibleOperationException if the present content does not allow the operation
     * @throws IllegalArgumentException if the operation is for another kind, or an index or score is malformed
     */
    public abstract @Nullable Object execute(AggregateOperation operation, List<Element> arguments);

    /** Returns the whole content, like {@code HASH_GET_ALL}, {@code LIST_RANGE}, {@code SORTED_BY_RANK} and so on. */
    public abstract List<Element> elements();

    /** Adds elements in the order of {@link #elements}. */
    public abstract void addAll(List<Element> elements);

    public abstract boolean isEmpty();

    /** Returns the bytes of the elements and their overhead, in constant time. */
    public final long sizeBytes() {
        return sizeBytes;
    }

    public final AggregateModel copy() {
        return of(kind, elements());
    }

    final IllegalArgumentException refusal(AggregateOperation operation) {
        return new IllegalArgumentException(
                "%s is an operation of a %s, not of a %s".formatted(operation, operation.kind(), kind));
    }

    static long count(List<Element> elements, Predicate<Element> done) {
        long count = 0;
        for (Element element : elements) {
            count += oneIf(done.test(element));
        }
        return count;
    }

    static long oneIf(boolean condition) {
        return condition ? 1 : 0;
    }

    static long bytes(Element element) {
        return (long) element.length() + OVERHEAD_BYTES;
    }

    /** Thrown if the present content does not allow an operation. Nothing was changed. */
    public static final class ImpossibleOperationException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ImpossibleOperationException(String message) {
            super(message);
        }
    }
}
