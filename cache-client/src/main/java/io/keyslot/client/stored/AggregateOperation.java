// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What can be done to an aggregate, atomically. Each constant says its arguments and its answer.
 *
 * <p>An answer is null, a {@code Long}, an {@link Element}, or a list of answers, in which null stands for what is not
 * there. Whole numbers among the arguments are decimal text; scores are text as {@code Double.toString} has it, with
 * {@code inf} and {@code -inf} for the infinities. An aggregate without elements does not exist: the last one that is
 * removed takes it away, and every operation on none answers as on an empty one.
 */
public enum AggregateOperation {
    /** Field; answers its value or null. */
    HASH_GET(AggregateKind.HASH, Effect.READS),
    /** Fields; answers a list of their values, null for those that are not there. */
    HASH_GET_MANY(AggregateKind.HASH, Effect.READS),
    /** Answers a list of fields and values, one behind the other. */
    HASH_GET_ALL(AggregateKind.HASH, Effect.READS),
    /** Answers a list of the fields. */
    HASH_FIELDS(AggregateKind.HASH, Effect.READS),
    /** Field; answers 1 if it is there, or 0. */
    HASH_CONTAINS(AggregateKind.HASH, Effect.READS),
    /** Answers the number of fields. */
    HASH_SIZE(AggregateKind.HASH, Effect.READS),
    /** Field and value; answers the value before or null. */
    HASH_PUT(AggregateKind.HASH, Effect.CHANGES),
    /** Fields and values, one behind the other; answers how many fields are new. */
    HASH_PUT_MANY(AggregateKind.HASH, Effect.CHANGES),
    /** Field and value; sets a field that is not there, answers 1 if it did, or 0. */
    HASH_PUT_IF_ABSENT(AggregateKind.HASH, Effect.CHANGES_OR_ANSWERS_NOTHING),
    /** Field; answers the value before or null. */
    HASH_REMOVE(AggregateKind.HASH, Effect.CHANGES_OR_ANSWERS_NOTHING),
    /** Fields; answers how many there were. */
    HASH_REMOVE_MANY(AggregateKind.HASH, Effect.CHANGES_OR_ANSWERS_NOTHING),
    /** Field and whole number; answers the sum, as a whole number. May fail. */
    HASH_INCREMENT(AggregateKind.HASH, Effect.CHANGES_IF_POSSIBLE),
    /** Field and number; answers the sum, as text. May fail. */
    HASH_INCREMENT_BY_DOUBLE(AggregateKind.HASH, Effect.CHANGES_IF_POSSIBLE),

    /** Index, negative from the end; answers the element or null. */
    LIST_GET(AggregateKind.LIST, Effect.READS),
    /** First and last index, inclusive, negative from the end; answers the list of elements. */
    LIST_RANGE(AggregateKind.LIST, Effect.READS),
    /** Answers the number of elements. */
    LIST_SIZE(AggregateKind.LIST, Effect.READS),
    /** Elements, each put before those before it; answers the new number of elements. */
    LIST_ADD_FIRST(AggregateKind.LIST, Effect.CHANGES),
    /** Elements; answers the new number of elements. */
    LIST_ADD_LAST(AggregateKind.LIST, Effect.CHANGES),
    /** Removes the first element; answers it or null. */
    LIST_POLL_FIRST(AggregateKind.LIST, Effect.CHANGES_OR_ANSWERS_NOTHING),
    /** Removes the last element; answers it or null. */
    LIST_POLL_LAST(AggregateKind.LIST, Effect.CHANGES_OR_ANSWERS_NOTHING),
    /** Index and element; answers 1, or 0 if there is no such index. */
    LIST_SET(AggregateKind.LIST, Effect.CHANGES_OR_ANSWERS_NOTHING),
    /** Element; removes its first occurrence, answers 1 if there was one, or 0. */
    LIST_REMOVE(AggregateKind.LIST, Effect.CHANGES_OR_ANSWERS_NOTHING),
    /** First and last index, inclusive, negative from the end; removes all others, answers null. */
    LIST_RETAIN(AggregateKind.LIST, Effect.CHANGES),

    /** Element; answers 1 if it is there, or 0. */
    SET_CONTAINS(AggregateKind.SET, Effect.READS),
    /** Answers the number of elements. */
    SET_SIZE(AggregateKind.SET, Effect.READS),
    /** Answers the list of elements, in no order. */
    SET_GET_ALL(AggregateKind.SET, Effect.READS),
    /** Elements; answers how many are new. */
    SET_ADD(AggregateKind.SET, Effect.CHANGES_OR_ANSWERS_NOTHING),
    /** Elements; answers how many there were. */
    SET_REMOVE(AggregateKind.SET, Effect.CHANGES_OR_ANSWERS_NOTHING),

    /** Element; answers its score as text or null. */
    SORTED_SCORE(AggregateKind.SORTED_SET, Effect.READS),
    /** Element; answers how many come before it, or null if it is not there. */
    SORTED_RANK(AggregateKind.SORTED_SET, Effect.READS),
    /** Answers the number of elements. */
    SORTED_SIZE(AggregateKind.SORTED_SET, Effect.READS),
    /** Lowest and highest score, inclusive; answers how many elements are between. */
    SORTED_COUNT(AggregateKind.SORTED_SET, Effect.READS),
    /** First and last rank, inclusive, negative from the end; answers elements and scores, one behind the other. */
    SORTED_BY_RANK(AggregateKind.SORTED_SET, Effect.READS),
    /** As {@link #SORTED_BY_RANK}, ranks counted from the highest score down. */
    SORTED_BY_RANK_DESCENDING(AggregateKind.SORTED_SET, Effect.READS),
    /** Lowest and highest score, inclusive, and the most elements; answers elements and scores. */
    SORTED_BY_SCORE(AggregateKind.SORTED_SET, Effect.READS),
    /** Highest and lowest score, inclusive, and the most elements; answers elements and scores from the highest down. */
    SORTED_BY_SCORE_DESCENDING(AggregateKind.SORTED_SET, Effect.READS),
    /** From and to, exclusive, and the most elements; answers elements in the order of their bytes. */
    SORTED_BY_ELEMENT(AggregateKind.SORTED_SET, Effect.READS),
    /** Scores and elements, one behind the other; answers how many are new. */
    SORTED_ADD(AggregateKind.SORTED_SET, Effect.CHANGES),
    /** Number and element; answers the new score as text. May fail. */
    SORTED_INCREMENT(AggregateKind.SORTED_SET, Effect.CHANGES_IF_POSSIBLE),
    /** Elements; answers how many there were. */
    SORTED_REMOVE(AggregateKind.SORTED_SET, Effect.CHANGES_OR_ANSWERS_NOTHING),
    /** Lowest and highest score, inclusive; answers how many were removed. */
    SORTED_REMOVE_BY_SCORE(AggregateKind.SORTED_SET, Effect.CHANGES_OR_ANSWERS_NOTHING),
    /** Removes the element of the lowest score; answers it and its score, or an empty list. */
    SORTED_POLL_FIRST(AggregateKind.SORTED_SET, Effect.CHANGES_OR_ANSWERS_NOTHING),
    /** Removes the element of the highest score; answers it and its score, or an empty list. */
    SORTED_POLL_LAST(AggregateKind.SORTED_SET, Effect.CHANGES_OR_ANSWERS_NOTHING),

    /** Answers the number as text, or null if there is none. */
    COUNTER_GET(AggregateKind.COUNTER, Effect.READS),
    /** Number; answers the one before as text, or null. */
    COUNTER_SET(AggregateKind.COUNTER, Effect.CHANGES),
    /** Number; answers the sum. May fail. */
    COUNTER_ADD(AggregateKind.COUNTER, Effect.CHANGES_IF_POSSIBLE);

    private final AggregateKind kind;
    private final Effect effect;

    AggregateOperation(AggregateKind kind, Effect effect) {
        this.kind = kind;
        this.effect = effect;
    }

    /** Returns what it is for. */
    public AggregateKind kind() {
        return kind;
    }

    /** Returns whether it may change something. */
    public boolean isWrite() {
        return effect != Effect.READS;
    }

    /** Returns whether it is impossible with some of what may be stored. */
    public boolean mayFail() {
        return effect == Effect.CHANGES_IF_POSSIBLE;
    }

    /**
     * Returns whether it counts as a change, given its answer: reads never do, removals and conditional changes do not if
     * they found nothing to do, and all others do, even if they wrote what was there.
     */
    public boolean isChange(@Nullable Object answer) {
        return isWrite() && (effect != Effect.CHANGES_OR_ANSWERS_NOTHING || !isNothing(answer));
    }

    private static boolean isNothing(@Nullable Object answer) {
        return answer == null || answer.equals(0L) || answer.equals(List.of());
    }

    private enum Effect {
        READS,
        CHANGES,
        /** Answers null, 0 or an empty list if there was nothing to do. */
        CHANGES_OR_ANSWERS_NOTHING,
        CHANGES_IF_POSSIBLE
    }

    /** Returns whether there may be more elements afterwards, or larger ones. */
    public boolean mayEnlarge() {
        return switch (this) {
            case HASH_PUT,
                    HASH_PUT_MANY,
                    HASH_PUT_IF_ABSENT,
                    HASH_INCREMENT,
                    HASH_INCREMENT_BY_DOUBLE,
                    LIST_ADD_FIRST,
                    LIST_ADD_LAST,
                    LIST_SET,
                    SET_ADD,
                    SORTED_ADD,
                    SORTED_INCREMENT,
                    COUNTER_SET,
                    COUNTER_ADD -> true;
            default -> false;
        };
    }
}
