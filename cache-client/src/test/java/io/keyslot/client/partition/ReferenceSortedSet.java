// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.AggregateOperation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;

final class ReferenceSortedSet implements ReferenceAggregate {
    private static final Comparator<String> BYTES = (one, other) ->
            Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));

    private final Map<String, Double> scores = new HashMap<>();

    @Override
    public @Nullable Object perform(AggregateOperation operation, List<String> arguments) {
        String first = arguments.isEmpty() ? "" : arguments.get(0);
        return switch (operation) {
            case SORTED_SCORE -> scores.containsKey(first) ? text(scores.get(first)) : null;
            case SORTED_RANK -> rank(first);
            case SORTED_SIZE -> (long) scores.size();
            case SORTED_COUNT -> (long) between(first, arguments.get(1)).size();
            case SORTED_BY_RANK -> flat(ReferenceAggregate.slice(ordered(), first, arguments.get(1)));
            case SORTED_BY_RANK_DESCENDING ->
                flat(ReferenceAggregate.slice(reversed(ordered()), first, arguments.get(1)));
            case SORTED_BY_SCORE -> flat(limited(between(first, arguments.get(1)), arguments.get(2)));
            case SORTED_BY_SCORE_DESCENDING ->
                flat(limited(reversed(between(arguments.get(1), first)), arguments.get(2)));
            case SORTED_BY_ELEMENT -> byElement(first, arguments.get(1), arguments.get(2));
            case SORTED_ADD -> add(arguments);
            case SORTED_INCREMENT -> increment(arguments.get(1), number(first));
            case SORTED_REMOVE -> remove(arguments);
            case SORTED_REMOVE_BY_SCORE -> remove(names(between(first, arguments.get(1))));
            case SORTED_POLL_FIRST -> poll(ordered());
            case SORTED_POLL_LAST -> poll(reversed(ordered()));
            default -> throw new IllegalArgumentException(operation.name());
        };
    }

    @Override
    public boolean isDefined(AggregateOperation operation) {
        return operation != AggregateOperation.SORTED_BY_ELEMENT || new HashSet<>(scores.values()).size() <= 1;
    }

    private List<Entry<String, Double>> ordered() {
        List<Entry<String, Double>> entries = new ArrayList<>();
        scores.forEach((element, score) -> entries.add(Map.entry(element, score)));
        entries.sort(Entry.<String, Double>comparingByValue().thenComparing(Entry.comparingByKey(BYTES)));
        return entries;
    }

    private static <T> List<T> reversed(List<T> list) {
        List<T> reversed = new ArrayList<>(list);
        Collections.reverse(reversed);
        return reversed;
    }

    private static <T> List<T> limited(List<T> list, String limit) {
        return list.stream().limit(Long.parseLong(limit)).toList();
    }

    private List<Entry<String, Double>> between(String lowest, String highest) {
        return ordered().stream()
                .filter(entry -> entry.getValue() >= number(lowest) && entry.getValue() <= number(highest))
                .toList();
    }

    private List<String> byElement(String from, String to, String limit) {
        return names(ordered()).stream()
                .filter(name -> BYTES.compare(name, from) >= 0 && BYTES.compare(name, to) < 0)
                .limit(Long.parseLong(limit))
                .toList();
    }

    private @Nullable Long rank(String element) {
        int rank = names(ordered()).indexOf(element);
        return rank < 0 ? null : Long.valueOf(rank);
    }

    private long add(List<String> pairs) {
        int before = scores.size();
        for (int i = 0; i < pairs.size(); i += 2) {
            scores.put(pairs.get(i + 1), number(pairs.get(i)));
        }
        return (long) scores.size() - before;
    }

    private String increment(String element, double delta) {
        double sum = scores.getOrDefault(element, 0.0) + delta;
        if (Double.isNaN(sum)) {
            throw new ArithmeticException();
        }
        scores.put(element, sum);
        return text(sum);
    }

    private long remove(List<String> elements) {
        int before = scores.size();
        elements.forEach(scores::remove);
        return (long) before - scores.size();
    }

    private List<String> poll(List<Entry<String, Double>> ordered) {
        List<Entry<String, Double>> polled = limited(ordered, "1");
        remove(names(polled));
        return flat(polled);
    }

    private static List<String> names(List<Entry<String, Double>> entries) {
        return entries.stream().map(Entry::getKey).toList();
    }

    private static List<String> flat(List<Entry<String, Double>> entries) {
        List<String> flat = new ArrayList<>();
        entries.forEach(entry -> flat.addAll(List.of(entry.getKey(), text(entry.getValue()))));
        return flat;
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace("inf", "Infinity"));
    }

    private static String text(double score) {
        return Double.isInfinite(score) ? (score > 0 ? "inf" : "-inf") : Double.toString(score);
    }

    @Override
    public List<String> elements() {
        return flat(ordered());
    }
}
