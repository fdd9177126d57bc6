// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an aggregate does, written down once more with the collections of Java, simple and slow. */
interface ReferenceAggregate {
    static ReferenceAggregate empty(AggregateKind kind) {
        return switch (kind) {
            case HASH -> new ReferenceHash();
            case LIST -> new ReferenceList();
            case SET -> new ReferenceSet();
            case SORTED_SET -> new ReferenceSortedSet();
            case COUNTER -> new ReferenceCounter();
        };
    }

    /**
     * Does an operation; returns its answer, elements as texts.
     *
     * @throws ArithmeticException if it is impossible
     */
    @Nullable
    Object perform(AggregateOperation operation, List<String> arguments);

    /** Returns all elements, as {@code AggregateModel.elements} has them, those without an order in any. */
    List<String> elements();

    /** Returns whether the operation has one possible answer now. */
    default boolean isDefined(AggregateOperation operation) {
        return true;
    }

    static long oneIf(boolean condition) {
        return condition ? 1 : 0;
    }

    /** Returns what is between two indexes, both inclusive, negative ones from the end. */
    static <T> List<T> slice(List<T> all, String first, String last) {
        int from = Integer.parseInt(first);
        int to = Integer.parseInt(last);
        List<T> slice = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            boolean isBehindFirst = from >= 0 ? i >= from : i - all.size() >= from;
            boolean isBeforeLast = to >= 0 ? i <= to : i - all.size() <= to;
            if (isBehindFirst && isBeforeLast) {
                slice.add(all.get(i));
            }
        }
        return slice;
    }
}
