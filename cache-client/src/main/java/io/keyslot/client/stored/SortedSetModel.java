// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import io.keyslot.client.stored.ScoreOrder.Scored;
import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/** A sorted set: elements in the order of their scores. */
final class SortedSetModel implements AggregateModel {
    private final ScoreOrder order;
    private long sizeBytes;

    SortedSetModel() {
        this(new ScoreOrder());
    }

    private SortedSetModel(ScoreOrder order) {
        this.order = order;
    }

    @Override
    public AggregateKind kind() {
        return AggregateKind.SORTED_SET;
    }

    @Override
    public @Nullable Object execute(AggregateOperation operation, List<Element> arguments) {
        return operation.isWrite() ? change(operation, arguments) : read(operation, arguments);
    }

    private @Nullable Object read(AggregateOperation operation, List<Element> arguments) {
        return switch (operation) {
            case SORTED_SCORE -> score(arguments.get(0));
            case SORTED_RANK -> order.rank(arguments.get(0));
            case SORTED_SIZE -> (long) order.size();
            case SORTED_COUNT ->
                (long) between(arguments.get(0), arguments.get(1)).size();
            case SORTED_BY_RANK -> byRank(arguments, order.all());
            case SORTED_BY_RANK_DESCENDING -> byRank(arguments, order.all().descendingSet());
            case SORTED_BY_SCORE -> first(arguments.get(2), between(arguments.get(0), arguments.get(1)));
            case SORTED_BY_SCORE_DESCENDING ->
                first(
                        arguments.get(2),
                        between(arguments.get(1), arguments.get(0)).descendingSet());
            case SORTED_BY_ELEMENT -> order.between(arguments.get(0), arguments.get(1), most(arguments.get(2)));
            default -> throw OperationArguments.notFor(this, operation);
        };
    }

    private Object change(AggregateOperation operation, List<Element> arguments) {
        return switch (operation) {
            case SORTED_ADD -> add(arguments);
            case SORTED_INCREMENT -> increment(arguments.get(0), arguments.get(1));
            case SORTED_REMOVE -> OperationArguments.count(arguments, this::remove);
            case SORTED_REMOVE_BY_SCORE -> removeAll(between(arguments.get(0), arguments.get(1)));
            case SORTED_POLL_FIRST -> order.size() == 0 ? List.of() : poll(order.first());
            case SORTED_POLL_LAST -> order.size() == 0 ? List.of() : poll(order.last());
            default -> throw OperationArguments.notFor(this, operation);
        };
    }

    private @Nullable Element score(Element element) {
        Double score = order.score(element);
        return score == null ? null : Score.text(score);
    }

    private NavigableSet<Scored> between(Element lowest, Element highest) {
        return order.between(Score.of(lowest), Score.of(highest));
    }

    private List<Element> byRank(List<Element> arguments, NavigableSet<Scored> ordered) {
        return ScoreOrder.at(IndexRange.of(arguments.get(0), arguments.get(1), order.size()), ordered);
    }

    private static List<Element> first(Element limit, NavigableSet<Scored> ordered) {
        long most = most(limit);
        int size = ordered.size();
        return ScoreOrder.at(new IndexRange(0, most < 0 ? size : (int) Math.min(most, size)), ordered);
    }

    private static long most(Element limit) {
        return Long.parseLong(limit.text());
    }

    private long add(List<Element> scoresAndElements) {
        // Reads all scores before adding the first: a malformed one must not leave a partial change.
        double[] scores = new double[scoresAndElements.size() / 2];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = Score.of(scoresAndElements.get(2 * i));
        }
        int before = order.size();
        for (int i = 0; i < scores.length; i++) {
            put(scoresAndElements.get(2 * i + 1), scores[i]);
        }
        return (long) order.size() - before;
    }

    private void put(Element element, double score) {
        if (order.put(element, score) == null) {
            sizeBytes += OperationArguments.bytes(element) + OVERHEAD_BYTES;
        }
    }

    private Element increment(Element delta, Element element) {
        Double present = order.score(element);
        double sum = (present == null ? 0 : present) + Score.of(delta);
        if (Double.isNaN(sum)) {
            throw new ImpossibleOperationException("the sum of the infinities is not a number");
        }
        put(element, sum);
        return Score.text(sum);
    }

    private boolean remove(Element element) {
        boolean wasThere = order.remove(element);
        sizeBytes -= wasThere ? OperationArguments.bytes(element) + OVERHEAD_BYTES : 0;
        return wasThere;
    }

    private long removeAll(NavigableSet<Scored> view) {
        List<Scored> removed = List.copyOf(view);
        removed.forEach(scored -> remove(scored.element()));
        return removed.size();
    }

    private List<Element> poll(Scored scored) {
        remove(scored.element());
        return List.of(scored.element(), Score.text(scored.score()));
    }

    @Override
    public List<Element> elements() {
        return ScoreOrder.at(new IndexRange(0, order.size()), order.all());
    }

    @Override
    public void addAll(List<Element> elements) {
        for (int i = 0; i < elements.size(); i += 2) {
            put(elements.get(i), Score.of(elements.get(i + 1)));
        }
    }

    @Override
    public boolean isEmpty() {
        return order.size() == 0;
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public AggregateModel copy() {
        SortedSetModel copy = new SortedSetModel(order.copy());
        copy.sizeBytes = sizeBytes;
        return copy;
    }
}
