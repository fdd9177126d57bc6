// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list of elements, with fast access by position; changes at its beginning move the others. */
final class ListModel extends AggregateModel {
    private final List<Element> content = new ArrayList<>();

    ListModel() {
        super(AggregateKind.LIST);
    }

    @Override
    public @Nullable Object execute(AggregateOperation operation, List<Element> arguments) {
        return switch (operation) {
            case LIST_GET -> get(IndexRange.position(arguments.get(0), content.size()));
            case LIST_RANGE -> List.copyOf(view(arguments));
            case LIST_SIZE -> (long) content.size();
            case LIST_ADD_FIRST -> addFirst(arguments);
            case LIST_ADD_LAST -> addLast(arguments);
            case LIST_POLL_FIRST -> remove(isEmpty() ? -1 : 0);
            case LIST_POLL_LAST -> remove(content.size() - 1);
            case LIST_SET -> oneIf(replace(IndexRange.position(arguments.get(0), content.size()), arguments.get(1)));
            case LIST_REMOVE -> oneIf(remove(content.indexOf(arguments.get(0))) != null);
            case LIST_RETAIN -> retain(view(arguments));
            default -> throw refusal(operation);
        };
    }

    private List<Element> view(List<Element> firstAndLast) {
        IndexRange range = IndexRange.of(firstAndLast.get(0), firstAndLast.get(1), content.size());
        return content.subList(range.from(), range.to());
    }

    private @Nullable Element get(int position) {
        return position < 0 ? null : content.get(position);
    }

    private long addFirst(List<Element> elements) {
        for (Element element : elements) {
            content.add(0, element);
            sizeBytes += bytes(element);
        }
        return content.size();
    }

    private long addLast(List<Element> elements) {
        addAll(elements);
        return content.size();
    }

    /** Removes the element at a position; returns null if that is negative. */
    private @Nullable Element remove(int position) {
        Element removed = position < 0 ? null : content.remove(position);
        sizeBytes -= removed == null ? 0 : bytes(removed);
        return removed;
    }

    private boolean replace(int position, Element element) {
        if (position >= 0) {
            sizeBytes += bytes(element) - bytes(content.set(position, element));
        }
        return position >= 0;
    }

    private @Nullable Object retain(List<Element> view) {
        List<Element> retained = List.copyOf(view);
        content.clear();
        sizeBytes = 0;
        addAll(retained);
        return null;
    }

    @Override
    public List<Element> elements() {
        return List.copyOf(content);
    }

    @Override
    public void addAll(List<Element> elements) {
        content.addAll(elements);
        elements.forEach(element -> sizeBytes += bytes(element));
    }

    @Override
    public boolean isEmpty() {
        return content.isEmpty();
    }
}
