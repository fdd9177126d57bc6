// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import static io.keyslot.client.stored.AggregateOperation.SORTED_ADD;
import static io.keyslot.client.stored.AggregateOperation.SORTED_BY_ELEMENT;
import static io.keyslot.client.stored.AggregateOperation.SORTED_BY_RANK;
import static io.keyslot.client.stored.AggregateOperation.SORTED_BY_RANK_DESCENDING;
import static io.keyslot.client.stored.AggregateOperation.SORTED_BY_SCORE;
import static io.keyslot.client.stored.AggregateOperation.SORTED_BY_SCORE_DESCENDING;
import static io.keyslot.client.stored.AggregateOperation.SORTED_COUNT;
import static io.keyslot.client.stored.AggregateOperation.SORTED_INCREMENT;
import static io.keyslot.client.stored.AggregateOperation.SORTED_POLL_FIRST;
import static io.keyslot.client.stored.AggregateOperation.SORTED_POLL_LAST;
import static io.keyslot.client.stored.AggregateOperation.SORTED_RANK;
import static io.keyslot.client.stored.AggregateOperation.SORTED_REMOVE;
import static io.keyslot.client.stored.AggregateOperation.SORTED_REMOVE_BY_SCORE;
import static io.keyslot.client.stored.AggregateOperation.SORTED_SCORE;

import io.keyslot.cache.RemoteSortedSet;
import io.keyslot.cache.ScoredElement;
import io.keyslot.client.group.ElementCodecs.ElementCoder;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The handle of a sorted set. Immutable. */
final class SortedSetHandle<E> extends AggregateHandle<RemoteSortedSet<E>> implements RemoteSortedSet<E> {
    private final ElementCoder<E> elements;

    SortedSetHandle(Aggregate aggregate, Class<E> elementClass) {
        super(aggregate, other -> new SortedSetHandle<>(other, elementClass));
        this.elements = aggregate.coder(aggregate.kind().typeName(), elementClass);
    }

    @Override
    public boolean add(E element, double score) {
        return aggregate.test("add", SORTED_ADD, scored(score), elements.encode(element));
    }

    @Override
    public int addAll(Map<? extends E, Double> scores) {
        if (!aggregate.isBatch("an addAll", scores.size())) {
            return 0;
        }
        List<Element> arguments = new ArrayList<>(2 * scores.size());
        scores.forEach((element, score) -> {
            arguments.add(scored(Objects.requireNonNull(score, "score")));
            arguments.add(elements.encode(element));
        });
        return aggregate.count("addAll", SORTED_ADD, arguments);
    }

    @Override
    public double increment(E element, double delta) {
        return Aggregate.parseScore(Objects.requireNonNull(
                aggregate.element("increment", SORTED_INCREMENT, scored(delta), elements.encode(element))));
    }

    @Override
    public OptionalDouble score(E element) {
        Element score = aggregate.element("score", SORTED_SCORE, elements.encode(element));
        return score == null ? OptionalDouble.empty() : OptionalDouble.of(Aggregate.parseScore(score));
    }

    @Override
    public OptionalInt rank(E element) {
        Long rank = (Long) aggregate.apply("rank", SORTED_RANK, List.of(elements.encode(element)));
        return rank == null ? OptionalInt.empty() : OptionalInt.of((int) Math.min(Integer.MAX_VALUE, rank));
    }

    @Override
    public boolean remove(E element) {
        return aggregate.test("remove", SORTED_REMOVE, elements.encode(element));
    }

    @Override
    public int removeByScore(double from, double to) {
        aggregate.checkScores(from, to);
        return aggregate.count("removeByScore", SORTED_REMOVE_BY_SCORE, scored(from), scored(to));
    }

    @Override
    public @Nullable ScoredElement<E> pollFirst() {
        return firstOf(scoredElements("pollFirst", SORTED_POLL_FIRST));
    }

    @Override
    public @Nullable ScoredElement<E> pollLast() {
        return firstOf(scoredElements("pollLast", SORTED_POLL_LAST));
    }

    private static <T> @Nullable T firstOf(List<T> elements) {
        return elements.isEmpty() ? null : elements.get(0);
    }

    @Override
    public int count(double from, double to) {
        aggregate.checkScores(from, to);
        return aggregate.count("count", SORTED_COUNT, scored(from), scored(to));
    }

    @Override
    public List<ScoredElement<E>> byRank(int from, int to) {
        return byRank("byRank", SORTED_BY_RANK, from, to);
    }

    @Override
    public List<ScoredElement<E>> byRankDescending(int from, int to) {
        return byRank("byRankDescending", SORTED_BY_RANK_DESCENDING, from, to);
    }

    private List<ScoredElement<E>> byRank(String called, AggregateOperation operation, int from, int to) {
        return aggregate.isRange(from, to)
                ? scoredElements(called, operation, Element.of(from), Element.of(to - 1))
                : new ArrayList<>();
    }

    @Override
    public List<ScoredElement<E>> byScore(double from, double to, int limit) {
        aggregate.checkScores(from, to);
        return byScore("byScore", SORTED_BY_SCORE, scored(from), scored(to), limit);
    }

    @Override
    public List<ScoredElement<E>> byScoreDescending(double from, double to, int limit) {
        aggregate.checkScores(from, to);
        return byScore("byScoreDescending", SORTED_BY_SCORE_DESCENDING, scored(to), scored(from), limit);
    }

    private List<ScoredElement<E>> byScore(
            String called, AggregateOperation operation, Element first, Element last, int limit) {
        return aggregate.isAny(limit)
                ? scoredElements(called, operation, first, last, Element.of(limit))
                : new ArrayList<>();
    }

    @Override
    public List<E> byElement(E from, E to, int limit) {
        elements.requirePlain("byElement", "the server cannot order them; use byScore");
        Element first = elements.encode(from);
        Element end = elements.encode(to);
        if (end.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "%s: a range of elements ends before it begins, in the order of their bytes"
                            .formatted(aggregate.title()));
        }
        return aggregate.isAny(limit) && !first.equals(end)
                ? elements.decodeAll(aggregate.elements("byElement", SORTED_BY_ELEMENT, first, end, Element.of(limit)))
                : new ArrayList<>();
    }

    @Override
    public List<ScoredElement<E>> toList() {
        return scoredElements("toList", SORTED_BY_RANK, Element.of(0), Element.of(-1));
    }

    private Element scored(double score) {
        return aggregate.score(score);
    }

    private List<ScoredElement<E>> scoredElements(String called, AggregateOperation operation, Element... arguments) {
        List<Element> answers = aggregate.elements(called, operation, arguments);
        List<ScoredElement<E>> scored = new ArrayList<>(answers.size() / 2);
        for (int i = 0; i < answers.size(); i += 2) {
            scored.add(new ScoredElement<>(elements.decode(answers.get(i)), Aggregate.parseScore(answers.get(i + 1))));
        }
        return scored;
    }
}
