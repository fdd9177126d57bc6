// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.group.ElementCodecs.ElementCoder;
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

/**
 * The identity of an aggregate, the way to reach it, and its expiry after a change; checks and converts arguments and
 * results. Immutable.
 */
record Aggregate(
        GroupForms forms, AggregateAccess access, EntityKey key, EncodedKey stored, AggregateKind kind, Expiry expiry) {

    Aggregate withExpiry(Expiry other) {
        return new Aggregate(forms, access, key, stored, kind, other);
    }

    /** Returns the coder of elements in a place of the aggregate; null for numbers that servers calculate with. */
    <E> ElementCoder<E> coder(@Nullable String place, Class<E> type) {
        return forms.codecs().ofElements(title(), type, forms.keys().root(), stored, place);
    }

    /** Returns whether a bulk operation is not empty; throws {@link LimitExceededException} if it is too large. */
    boolean isBatch(String operation, int size) {
        int most = forms.codecs().limits().batchKeys();
        if (size > most) {
            throw new LimitExceededException(
                    "Group %s: %s has %d elements, the limit is %d; split it, or raise limits.batchKeys"
                            .formatted(forms.keys().root().text(), operation, size, most));
        }
        return size > 0;
    }

    @Nullable
    Object apply(String called, AggregateOperation operation, List<Element> arguments) {
        return access.apply(called, stored, operation, arguments, expiry);
    }

    long number(String called, AggregateOperation operation, Element... arguments) {
        return number(called, operation, List.of(arguments));
    }

    long number(String called, AggregateOperation operation, List<Element> arguments) {
        return (Long) Objects.requireNonNull(apply(called, operation, arguments), operation::name);
    }

    /** Executes an operation that counts elements; the result is at most {@code Integer.MAX_VALUE}. */
    int count(String called, AggregateOperation operation, Element... arguments) {
        return count(called, operation, List.of(arguments));
    }

    int count(String called, AggregateOperation operation, List<Element> arguments) {
        return (int) Math.min(Integer.MAX_VALUE, number(called, operation, arguments));
    }

    boolean test(String called, AggregateOperation operation, Element... arguments) {
        return number(called, operation, arguments) > 0;
    }

    @Nullable
    Element element(String called, AggregateOperation operation, Element... arguments) {
        return (Element) apply(called, operation, List.of(arguments));
    }

    List<Element> elements(String called, AggregateOperation operation, Element... arguments) {
        return elements(called, operation, List.of(arguments));
    }

    /** Executes an operation that returns elements; some operations return null for missing ones. */
    @SuppressWarnings("unchecked") // the operation's specification
    List<Element> elements(String called, AggregateOperation operation, List<Element> arguments) {
        return (List<Element>) Objects.requireNonNull(apply(called, operation, arguments), operation::name);
    }

    String title() {
        return forms.keys().titleOf(key);
    }

    /** Checks a range of indexes, with an exclusive end; returns whether it is not empty. */
    boolean isRange(int from, int to) {
        if (from < 0) {
            throw new IndexOutOfBoundsException(
                    "%s: a range begins at %d, must begin at 0 or later".formatted(title(), from));
        }
        if (to < from) {
            throw new IllegalArgumentException(
                    "%s: a range is from %d to %d, must not end before it begins".formatted(title(), from, to));
        }
        return from < to;
    }

    boolean isAny(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException(
                    "%s: the limit of a range is %d, must be at least 0".formatted(title(), limit));
        }
        return limit > 0;
    }

    Element score(double score) {
        if (Double.isNaN(score)) {
            throw new IllegalArgumentException("%s: a score is NaN, must be a number or infinite".formatted(title()));
        }
        if (Double.isInfinite(score)) {
            return Element.of(score > 0 ? "inf" : "-inf");
        }
        return Element.of(Double.toString(score + 0.0)); // 0, not -0
    }

    Element finite(double delta) {
        if (!Double.isFinite(delta)) {
            throw new ArithmeticException(
                    "%s: nothing was added: the sum with what is not finite is not finite".formatted(title()));
        }
        return Element.of(Double.toString(delta));
    }

    void checkScores(double from, double to) {
        if (from > to) {
            throw new IllegalArgumentException("%s: a range of scores ends before it begins".formatted(title()));
        }
    }

    static double parseScore(Element score) {
        return switch (score.text()) {
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(score.text());
        };
    }

    /**
     * How a handle reaches its aggregate: directly, or in a transaction. Failures throw the exceptions of
     * {@link io.keyslot.cache.RemoteAggregate}. {@code called} is the method that the application called.
     */
    interface AggregateAccess {
        @Nullable
        Object apply(
                String called, EncodedKey key, AggregateOperation operation, List<Element> arguments, Expiry expiry);

        boolean delete(String called, EncodedKey key, AggregateKind kind);

        boolean expire(String called, EncodedKey key, AggregateKind kind, Expiry expiry);

        /** Returns the remaining time to live; empty if the aggregate does not expire, or does not exist. */
        Optional<Duration> timeToLive(EncodedKey key, AggregateKind kind);

        /**
         * Polls until there is an element, or the time is over.
         *
         * @throws IllegalStateException in a transaction, which does not wait
         */
        @Nullable
        Element take(Duration atMost, Supplier<@Nullable Element> poll);

        /** Throws {@code IllegalStateException} in a transaction. */
        <T extends @Nullable Object> CompletionStage<T> async(Supplier<T> operation);
    }
}
