// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.RemoteSortedSet;
import io.keyslot.cache.ScoredElement;
import io.keyslot.client.stored.Element;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A remote sorted set is a map from elements to scores, in the order of the scores and then of the bytes. */
public abstract class SortedSetContract extends AggregateContract {
    private static final List<Double> SCORES = List.of(
            0.0, 1.0, 1.5, -2.0, 0.1, 1e20, -1e-9, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 3.0, 4.0);

    private static final Comparator<ScoredElement<String>> ORDER = Comparator.<ScoredElement<String>>comparingDouble(
                    ScoredElement::score)
            .thenComparing(scored -> Element.of(scored.element()));

    private RemoteSortedSet<String> ratings() {
        return group.sortedSet("ratings", String.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomOperations_answerAsThoseOfAMapInOrder(long seed) {
        Random random = new Random(seed);
        RemoteSortedSet<String> sorted = ratings();
        Map<String, Double> model = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            String at = at(seed, step);
            if (random.nextBoolean()) {
                change(random, sorted, model, at);
            } else {
                read(random, sorted, model, at);
            }
            assertThat(sorted.size()).as(at).isEqualTo(model.size());
        }
        assertThat(sorted.toList()).as(at(seed, STEPS)).isEqualTo(ordered(model));
    }

    private static void change(Random random, RemoteSortedSet<String> sorted, Map<String, Double> model, String at) {
        String element = word(random);
        double score = score(random);
        int before = model.size();
        switch (random.nextInt(8)) {
            case 0, 1 -> assertThat(sorted.add(element, score)).as(at).isEqualTo(model.put(element, score) == null);
            case 2 -> {
                Map<String, Double> several =
                        words(random).stream().distinct().collect(Collectors.toMap(e -> e, e -> score));
                model.putAll(several);
                assertThat(sorted.addAll(several)).as(at).isEqualTo(model.size() - before);
            }
            case 3 -> increment(random, sorted, model, at);
            case 4 -> assertThat(sorted.remove(element)).as(at).isEqualTo(model.remove(element) != null);
            case 5 -> {
                double to = Math.max(score, score(random));
                model.values().removeIf(each -> each >= score && each <= to);
                assertThat(sorted.removeByScore(score, to)).as(at).isEqualTo(before - model.size());
            }
            case 6 -> assertThat(sorted.pollFirst()).as(at).isEqualTo(polled(model, ordered(model)));
            default -> assertThat(sorted.pollLast()).as(at).isEqualTo(polled(model, reversed(ordered(model))));
        }
    }

    private static void increment(Random random, RemoteSortedSet<String> sorted, Map<String, Double> model, String at) {
        String element = word(random);
        double delta = score(random);
        double sum = model.getOrDefault(element, 0.0) + delta;
        if (Double.isNaN(sum)) {
            assertThatThrownBy(() -> sorted.increment(element, delta)).as(at).isInstanceOf(ArithmeticException.class);
        } else {
            assertThat(sorted.increment(element, delta)).as(at).isEqualTo(sum);
            model.put(element, sum);
        }
    }

    private static void read(Random random, RemoteSortedSet<String> sorted, Map<String, Double> model, String at) {
        String element = word(random);
        List<ScoredElement<String>> ordered = ordered(model);
        int from = random.nextInt(6);
        int to = from + random.nextInt(6);
        int limit = random.nextInt(5);
        double lowest = score(random);
        double highest = Math.max(lowest, score(random));
        List<ScoredElement<String>> between = ordered.stream()
                .filter(each -> each.score() >= lowest && each.score() <= highest)
                .toList();
        switch (random.nextInt(7)) {
            case 0 -> {
                Double score = model.get(element);
                assertThat(sorted.score(element))
                        .as(at)
                        .isEqualTo(score == null ? OptionalDouble.empty() : OptionalDouble.of(score));
            }
            case 1 -> {
                int rank = ordered.stream().map(ScoredElement::element).toList().indexOf(element);
                assertThat(sorted.rank(element).orElse(-1)).as(at).isEqualTo(rank);
            }
            case 2 -> assertThat(sorted.count(lowest, highest)).as(at).isEqualTo(between.size());
            case 3 -> assertThat(sorted.byRank(from, to)).as(at).isEqualTo(part(ordered, from, to));
            case 4 -> assertThat(sorted.byRankDescending(from, to)).as(at).isEqualTo(part(reversed(ordered), from, to));
            case 5 -> assertThat(sorted.byScore(lowest, highest, limit)).as(at).isEqualTo(part(between, 0, limit));
            default ->
                assertThat(sorted.byScoreDescending(lowest, highest, limit))
                        .as(at)
                        .isEqualTo(part(reversed(between), 0, limit));
        }
    }

    private static double score(Random random) {
        return SCORES.get(random.nextInt(SCORES.size()));
    }

    private static List<ScoredElement<String>> ordered(Map<String, Double> model) {
        return model.entrySet().stream()
                .map(entry -> new ScoredElement<>(entry.getKey(), entry.getValue()))
                .sorted(ORDER)
                .toList();
    }

    private static <T> List<T> reversed(List<T> list) {
        List<T> copy = new ArrayList<>(list);
        Collections.reverse(copy);
        return copy;
    }

    private static <T> List<T> part(List<T> list, int from, int to) {
        return list.subList(Math.min(from, list.size()), Math.min(to, list.size()));
    }

    private static @Nullable ScoredElement<String> polled(
            Map<String, Double> model, List<ScoredElement<String>> inOrder) {
        if (inOrder.isEmpty()) {
            return null;
        }
        model.remove(inOrder.get(0).element());
        return inOrder.get(0);
    }

    @Test
    void byElement_withOneScore_isInTheOrderOfTheBytes() {
        RemoteSortedSet<String> names = ratings();
        names.addAll(Map.of("a", 0.0, "b", 0.0, "ba", 0.0, "c", 0.0, "é", 0.0));

        assertThat(names.byElement("b", "c", 10)).containsExactly("b", "ba");
        assertThat(names.byElement("a", "z", 2)).containsExactly("a", "b");
        assertThat(names.byElement("d", "\uffff", 10)).containsExactly("é");
        assertThat(names.byElement("b", "b", 10)).isEmpty();
        assertThat(names.byElement("a", "c", 0)).isEmpty();
        assertThatThrownBy(() -> names.byElement("c", "b", 10)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void scoreThatIsNotANumber_isRefused() {
        assertThatThrownBy(() -> ratings().add("a", Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ratings().addAll(Map.of("a", Double.NaN)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ratings().increment("a", Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ratings().byScore(Double.NaN, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ratings().count(1, Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThat(ratings().exists()).isFalse();
    }

    @Test
    void rangeThatEndsBeforeItBegins_isRefused() {
        assertThatThrownBy(() -> ratings().byScore(2, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ratings().removeByScore(2, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ratings().byRank(2, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ratings().byRank(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> ratings().byScore(1, 2, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
