// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate in memory, to which every operation of its kind can be done, as a server does it.
 *
 * <p>Not safe for use by several threads. The answers are copies: they do not change with the model.
 *
 * <p>Numbers that an operation answers or stores are equal to a server's as {@code double}s. Their texts may differ: those
 * of scores, which are not the same on all servers either, and the last digits of {@link
 * AggregateOperation#HASH_INCREMENT_BY_DOUBLE}, which servers compute in binary with their processor's longest format,
 * and models in decimal.
 */
public sealed interface AggregateModel permits CounterModel, HashModel, ListModel, SetModel, SortedSetModel {
    /** About what an element costs besides its bytes. */
    int OVERHEAD_BYTES = 50;

    /** Creates one without elements, which is to say none. */
    static AggregateModel empty(AggregateKind kind) {
        return switch (kind) {
            case HASH -> new HashModel();
            case LIST -> new ListModel();
            case SET -> new SetModel();
            case SORTED_SET -> new SortedSetModel();
            case COUNTER -> new CounterModel();
        };
    }

    /** Creates one with these elements, which are as {@link #elements} returns them. */
    static AggregateModel of(AggregateKind kind, List<Element> elements) {
        AggregateModel model = empty(kind);
        model.addAll(elements);
        return model;
    }

    AggregateKind kind();

    /**
     * Does an operation and returns its answer. {@link AggregateOperation} says what it is.
     *
     * @throws ImpossibleOperationException if it cannot be done to what is there; nothing was changed
     * @throws IllegalArgumentException if the operation is for another kind, or an index or score among the arguments is
     *     none; nothing was changed
     */
    @Nullable
    Object execute(AggregateOperation operation, List<Element> arguments);

    /**
     * Returns all that it holds, as {@code HASH_GET_ALL}, {@code LIST_RANGE}, {@code SET_GET_ALL}, {@code SORTED_BY_RANK}
     * or {@code COUNTER_GET} answer it.
     */
    List<Element> elements();

    /** Adds elements that are as {@link #elements} returns them. */
    void addAll(List<Element> elements);

    boolean isEmpty();

    /** Returns the bytes of the elements, with {@link #OVERHEAD_BYTES} for each of them. Takes no time. */
    long sizeBytes();

    /** Returns a model that changes on its own. */
    AggregateModel copy();
}
