// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A set of elements, unordered. */
final class SetModel extends AggregateModel {
    private final Set<Element> elements = new HashSet<>();

    SetModel() {
        super(AggregateKind.SET);
    }

    @Override
    public @Nullable Object execute(AggregateOperation operation, List<Element> arguments) {
        return switch (operation) {
            case SET_CONTAINS -> oneIf(elements.contains(arguments.get(0)));
            case SET_SIZE -> (long) elements.size();
            case SET_GET_ALL -> elements();
            case SET_ADD -> count(arguments, this::add);
            case SET_REMOVE -> count(arguments, this::remove);
            default -> throw refusal(operation);
        };
    }

    private boolean add(Element element) {
        boolean isNew = elements.add(element);
        sizeBytes += isNew ? bytes(element) : 0;
        return isNew;
    }

    private boolean remove(Element element) {
        boolean wasThere = elements.remove(element);
        sizeBytes -= wasThere ? bytes(element) : 0;
        return wasThere;
    }

    @Override
    public List<Element> elements() {
        return List.copyOf(elements);
    }

    @Override
    public void addAll(List<Element> added) {
        added.forEach(this::add);
    }

    @Override
    public boolean isEmpty() {
        return elements.isEmpty();
    }
}
