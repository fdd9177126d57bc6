// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A counter: a number, or none. */
final class CounterModel extends AggregateModel {
    private static final Element ZERO = Element.of(0);

    private @Nullable Element number;

    CounterModel() {
        super(AggregateKind.COUNTER);
    }

    @Override
    public @Nullable Object execute(AggregateOperation operation, List<Element> arguments) {
        return switch (operation) {
            case COUNTER_GET -> number;
            case COUNTER_SET -> set(arguments.get(0));
            case COUNTER_ADD -> add(arguments.get(0));
            default -> throw refusal(operation);
        };
    }

    private @Nullable Element set(Element next) {
        Element before = number;
        number = next;
        sizeBytes = bytes(next);
        return before;
    }

    private long add(Element delta) {
        long sum = Numbers.sum(Objects.requireNonNullElse(number, ZERO), delta);
        set(Element.of(sum));
        return sum;
    }

    @Override
    public List<Element> elements() {
        return number == null ? List.of() : List.of(number);
    }

    @Override
    public void addAll(List<Element> elements) {
        elements.forEach(this::set);
    }

    @Override
    public boolean isEmpty() {
        return number == null;
    }
}
