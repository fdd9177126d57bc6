// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The atomic operations on aggregates. Each constant documents its arguments and its result.
 *
 * <p>A result is null, a {@code Long}, an {@link Element}, or a list of results, in which null stands for a missing
 * one. Whole numbers in arguments are decimal text; scores are text in the form of {@code Double.toString}, with
 * {@code inf} and {@code -inf} for the infinities. An aggregate without elements does not exist: removing the last
 * element removes the aggregate, and an operation on a missing aggregate returns the same as on an empty one.
 */
public enum AggregateOperation {
    /** Field; returns its value or null. */
    HASH_GET(AggregateKind.HASH, Effect.READS),
    /** Fields; returns a list of their values, null for missing fields. */
    HASH_GET_MANY(AggregateKind.HASH, Effect.READS),
    /** Returns a list of alternating fields and values. */
    HASH_GET_ALL(AggregateKind.HASH, Effect.READS),
    /** Returns a list of the fields. */
    HASH_FIELDS(AggregateKind.HASH, Effect.READS),
    /** Field; returns 1 if it exists, otherwise 0. */
    HASH_CONTAINS(AggregateKind.HASH, Effect.READS),
    /** Returns the number of fields. */
    HASH_SIZE(AggregateKind.HASH, Effect.READS),
    /** Field and value; returns the previous value or null. */
    HASH_PUT(AggregateKind.HASH, Effect.CHANGES),
    /** Alternating fields and values; returns the number of new fields. */
    HASH_PUT_MANY(AggregateKind.HASH, Effect.CHANGES),
    /** Field and value; sets a missing field, returns 1 if it did, otherwise 0. */
    HASH_PUT_IF_ABSENT(AggregateKind.HASH, Effect.CHANGES_OR_ANSWERS_NOTHING),
    /** Field; returns the previous value or null. */
    HASH_REMOVE(AggregateKind.HASH, Effect.REMOVES),
    /** Fields; returns the number of removed ones. */
    HASH_REMOVE_MANY(AggregateKind.HASH, Effect.REMOVES),
    /** Field and whole number; returns the sum, as a whole number. May fail. */
    HASH_INCREMENT(AggregateKind.HASH, Effect.CHANGES_IF_POSSIBLE),
    /** Field and number; returns the sum, as text. May fail. */
    HASH_INCREMENT_BY_DOUBLE(AggregateKind.HASH, Effect.CHANGES_IF_POSSIBLE),

    /** Index, negative from the end; returns the element or null. */
    LIST_GET(AggregateKind.LIST, Effect.READS),
    /** First and last index, inclusive, negative from the end; returns the list of elements. */
    LIST_RANGE(AggregateKind.LIST, Effect.READS),
    /** Returns the number of elements. */
    LIST_SIZE(AggregateKind.LIST, Effect.READS),
    /** Elements, each put before the previous ones; returns the new number of elements. */
    LIST_ADD_FIRST(AggregateKind.LIST, Effect.CHANGES),
    /** Elements; returns the new number of elements. */
    LIST_ADD_LAST(AggregateKind.LIST, Effect.CHANGES),
    /** Removes the first element; returns it or null. */
    LIST_POLL_FIRST(AggregateKind.LIST, Effect.REMOVES),
    /** Removes the last element; returns it or null. */
    LIST_POLL_LAST(AggregateKind.LIST, Effect.REMOVES),
    /** Index and element; returns 1, or 0 if there is no such index. */
    LIST_SET(AggregateKind.LIST, Effect.CHANGES_OR_ANSWERS_NOTHING),
    /** Element; removes its first occurrence, returns 1 if there was one, otherwise 0. */
    LIST_REMOVE(AggregateKind.LIST, Effect.REMOVES),
    /** First and last index, inclusive, negative from the end; removes all others, returns null. */
    LIST_RETAIN(AggregateKind.LIST, Effect.CHANGES),

    /** Element; returns 1 if it exists, otherwise 0. */
    SET_CONTAINS(AggregateKind.SET, Effect.READS),
    /** Returns the number of elements. */
    SET_SIZE(AggregateKind.SET, Effect.READS),
    /** Returns the list of elements, unordered. */
    SET_GET_ALL(AggregateKind.SET, Effect.READS),
    /** Elements; returns the number of new ones. */
    SET_ADD(AggregateKind.SET, Effect.CHANGES_OR_ANSWERS_NOTHING),
    /** Elements; returns the number of removed ones. */
    SET_REMOVE(AggregateKind.SET, Effect.REMOVES),

    /** Element; returns its score as text or null. */
    SORTED_SCORE(AggregateKind.SORTED_SET, Effect.READS),
    /** Element; returns the number of elements before it, or null if it is missing. */
    SORTED_RANK(AggregateKind.SORTED_SET, Effect.READS),
    /** Returns the number of elements. */
    SORTED_SIZE(AggregateKind.SORTED_SET, Effect.READS),
    /** Lowest and highest score, inclusive; returns the number of elements between them. */
    SORTED_COUNT(AggregateKind.SORTED_SET, Effect.READS),
    /** First and last rank, inclusive, negative from the end; returns alternating elements and scores. */
    SORTED_BY_RANK(AggregateKind.SORTED_SET, Effect.READS),
    /** Like {@link #SORTED_BY_RANK}, with ranks from the highest score down. */
    SORTED_BY_RANK_DESCENDING(AggregateKind.SORTED_SET, Effect.READS),
    /** Lowest and highest score, inclusive, and the maximum number; returns elements and scores. */
    SORTED_BY_SCORE(AggregateKind.SORTED_SET, Effect.READS),
    /** Like {@link #SORTED_BY_SCORE}, with the highest score first and elements from the highest score down. */
    SORTED_BY_SCORE_DESCENDING(AggregateKind.SORTED_SET, Effect.READS),
    /** Start and end, exclusive, and the maximum number; returns elements in the order of their bytes. */
    SORTED_BY_ELEMENT(AggregateKind.SORTED_SET, Effect.READS),
    /** Alternating scores and elements; returns the number of new ones. */
    SORTED_ADD(AggregateKind.SORTED_SET, Effect.CHANGES),
    /** Number and element; returns the new score as text. May fail. */
    SORTED_INCREMENT(AggregateKind.SORTED_SET, Effect.CHANGES_IF_POSSIBLE),
    /** Elements; returns the number of removed ones. */
    SORTED_REMOVE(AggregateKind.SORTED_SET, Effect.REMOVES),
    /** Lowest and highest score, inclusive; returns the number of removed elements. */
    SORTED_REMOVE_BY_SCORE(AggregateKind.SORTED_SET, Effect.REMOVES),
    /** Removes the element with the lowest score; returns it and its score, or an empty list. */
    SORTED_POLL_FIRST(AggregateKind.SORTED_SET, Effect.REMOVES),
    /** Removes the element with the highest score; returns it and its score, or an empty list. */
    SORTED_POLL_LAST(AggregateKind.SORTED_SET, Effect.REMOVES),

    /** Returns the number as text, or null if there is none. */
    COUNTER_GET(AggregateKind.COUNTER, Effect.READS),
    /** Number; returns the previous one as text, or null. */
    COUNTER_SET(AggregateKind.COUNTER, Effect.CHANGES),
    /** Number; returns the sum. May fail. */
    COUNTER_ADD(AggregateKind.COUNTER, Effect.CHANGES_IF_POSSIBLE);

    private final AggregateKind kind;
    private final Effect effect;

    AggregateOperation(AggregateKind kind, Effect effect) {
        this.kind = kind;
        this.effect = effect;
    }

    public AggregateKind kind() {
        return kind;
    }

    public boolean isWrite() {
        return effect != Effect.READS;
    }

    /** Returns whether the stored content may not allow the operation. */
    public boolean mayFail() {
        return effect == Effect.CHANGES_IF_POSSIBLE;
    }

    /**
     * Returns whether an operation with this result counts as a change: reads never do, removals and conditional
     * changes unless they found nothing to do, all others always, even if they wrote the present content.
     */
    public boolean isChange(@Nullable Object answer) {
        boolean mayDoNothing = effect == Effect.CHANGES_OR_ANSWERS_NOTHING || effect == Effect.REMOVES;
        boolean isNothing = answer == null || answer.equals(0L) || answer.equals(List.of());
        return isWrite() && !(mayDoNothing && isNothing);
    }

    private enum Effect {
        READS,
        CHANGES,
        CHANGES_OR_ANSWERS_NOTHING,
        CHANGES_IF_POSSIBLE,
        /** Or answers nothing. */
        REMOVES
    }

    public boolean mayEnlarge() {
        return isWrite() && effect != Effect.REMOVES && this != LIST_RETAIN;
    }
}
