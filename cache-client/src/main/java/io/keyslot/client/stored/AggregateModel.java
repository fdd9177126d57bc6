// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate in memory, which executes the operations of its kind like a server. Results are copies. Not thread-safe.
 *
 * <p>Numbers equal those of a server as {@code double}s, but their texts may differ: those of scores, which also differ
 * between servers, and the last digits of {@link AggregateOperation#HASH_INCREMENT_BY_DOUBLE}, which servers compute in
 * the longest binary format of their processor, and models in decimal.
 */
public sealed interface AggregateModel permits CounterModel, HashModel, ListModel, SetModel, SortedSetModel {
    /** The approximate overhead of an element in bytes. */
    int OVERHEAD_BYTES = 50;

    static AggregateModel empty(AggregateKind kind) {
        return switch (kind) {
            case HASH -> new HashModel();
            case LIST -> new ListModel();
            case SET -> new SetModel();
            case SORTED_SET -> new SortedSetModel();
            case COUNTER -> new CounterModel();
        };
    }

    /** Creates a model with elements in the order of {@link #elements}. */
    static AggregateModel of(AggregateKind kind, List<Element> elements) {
        AggregateModel model = empty(kind);
        model.addAll(elements);
        return model;
    }

    AggregateKind kind();

    /**
     * Executes an operation and returns its result; see {@link AggregateOperation}. Changes nothing if it throws.
     *
     * @throws ImpossibleOperationException if the present content does not allow the operation
     * @throws IllegalArgumentException if the operation is for another kind, or an index or score is malformed
     */
    @Nullable
    Object execute(AggregateOperation operation, List<Element> arguments);

    /** Returns the whole content, like {@code HASH_GET_ALL}, {@code LIST_RANGE}, {@code SORTED_BY_RANK} and so on. */
    List<Element> elements();

    /** Adds elements in the order of {@link #elements}. */
    void addAll(List<Element> elements);

    boolean isEmpty();

    /** Returns the bytes of the elements, with {@link #OVERHEAD_BYTES} for each of them, in constant time. */
    long sizeBytes();

    AggregateModel copy();
}
