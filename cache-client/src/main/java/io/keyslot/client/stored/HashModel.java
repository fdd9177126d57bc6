// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A hash: fields and their values. */
final class HashModel extends AggregateModel {
    private static final Element ZERO = Element.of(0);

    private final Map<Element, Element> values = new LinkedHashMap<>();

    HashModel() {
        super(AggregateKind.HASH);
    }

    @Override
    public @Nullable Object execute(AggregateOperation operation, List<Element> arguments) {
        return switch (operation) {
            case HASH_GET -> values.get(arguments.get(0));
            case HASH_GET_MANY -> getMany(arguments);
            case HASH_GET_ALL -> elements();
            case HASH_FIELDS -> List.copyOf(values.keySet());
            case HASH_CONTAINS -> oneIf(values.containsKey(arguments.get(0)));
            case HASH_SIZE -> (long) values.size();
            case HASH_PUT -> put(arguments.get(0), arguments.get(1));
            case HASH_PUT_MANY -> putMany(arguments);
            case HASH_PUT_IF_ABSENT -> putIfAbsent(arguments.get(0), arguments.get(1));
            case HASH_REMOVE -> remove(arguments.get(0));
            case HASH_REMOVE_MANY -> count(arguments, field -> remove(field) != null);
            case HASH_INCREMENT -> increment(arguments.get(0), arguments.get(1));
            case HASH_INCREMENT_BY_DOUBLE -> incrementByDouble(arguments.get(0), arguments.get(1));
            default -> throw refusal(operation);
        };
    }

    private List<@Nullable Element> getMany(List<Element> fields) {
        List<@Nullable Element> found = new ArrayList<>(fields.size());
        fields.forEach(field -> found.add(values.get(field)));
        return Collections.unmodifiableList(found);
    }

    private @Nullable Element put(Element field, Element value) {
        Element before = values.put(field, value);
        sizeBytes += before == null ? bytes(field) + bytes(value) : bytes(value) - bytes(before);
        return before;
    }

    private long putMany(List<Element> fieldsAndValues) {
        int before = values.size();
        addAll(fieldsAndValues);
        return (long) values.size() - before;
    }

    private long putIfAbsent(Element field, Element value) {
        boolean isAbsent = !values.containsKey(field);
        if (isAbsent) {
            put(field, value);
        }
        return oneIf(isAbsent);
    }

    private @Nullable Element remove(Element field) {
        Element before = values.remove(field);
        if (before != null) {
            sizeBytes -= bytes(field) + bytes(before);
        }
        return before;
    }

    private long increment(Element field, Element delta) {
        long sum = Numbers.sum(values.getOrDefault(field, ZERO), delta);
        put(field, Element.of(sum));
        return sum;
    }

    private Element incrementByDouble(Element field, Element delta) {
        Element sum = Numbers.decimalSum(values.getOrDefault(field, ZERO), delta);
        put(field, sum);
        return sum;
    }

    @Override
    public List<Element> elements() {
        List<Element> elements = new ArrayList<>(2 * values.size());
        values.forEach((field, value) -> {
            elements.add(field);
            elements.add(value);
        });
        return Collections.unmodifiableList(elements);
    }

    @Override
    public void addAll(List<Element> elements) {
        for (int i = 0; i < elements.size(); i += 2) {
            put(elements.get(i), elements.get(i + 1));
        }
    }

    @Override
    public boolean isEmpty() {
        return values.isEmpty();
    }
}
