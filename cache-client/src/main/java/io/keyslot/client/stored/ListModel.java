// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A list of elements, in a ring: with fast access by position, and fast additions and removals at both ends.
 */
final class ListModel extends AggregateModel {
    private static final int SMALLEST = 8;

    /** Their number is a power of two. */
    private @Nullable Element[] slots = new @Nullable Element[SMALLEST];

    private int first;
    private int size;

    ListModel() {
        super(AggregateKind.LIST);
    }

    @Override
    public @Nullable Object execute(AggregateOperation operation, List<Element> arguments) {
        return switch (operation) {
            case LIST_GET -> get(IndexRange.position(arguments.get(0), size));
            case LIST_RANGE -> range(IndexRange.of(arguments.get(0), arguments.get(1), size));
            case LIST_SIZE -> (long) size;
            case LIST_ADD_FIRST -> addFirst(arguments);
            case LIST_ADD_LAST -> addLast(arguments);
            case LIST_POLL_FIRST -> isEmpty() ? null : removeFirst();
            case LIST_POLL_LAST -> isEmpty() ? null : removeLast();
            case LIST_SET -> oneIf(replace(IndexRange.position(arguments.get(0), size), arguments.get(1)));
            case LIST_REMOVE -> oneIf(remove(arguments.get(0)));
            case LIST_RETAIN -> retain(IndexRange.of(arguments.get(0), arguments.get(1), size));
            default -> throw refusal(operation);
        };
    }

    private @Nullable Element get(int position) {
        return position < 0 ? null : at(position);
    }

    private List<Element> range(IndexRange range) {
        List<Element> elements = new ArrayList<>(range.size());
        for (int i = range.from(); i < range.to(); i++) {
            elements.add(at(i));
        }
        return Collections.unmodifiableList(elements);
    }

    private long addFirst(List<Element> elements) {
        for (Element element : elements) {
            makeRoom();
            first = slot(slots.length - 1);
            size++;
            slots[first] = element;
            sizeBytes += bytes(element);
        }
        return size;
    }

    private long addLast(List<Element> elements) {
        addAll(elements);
        return size;
    }

    private Element removeFirst() {
        Element removed = at(0);
        slots[first] = null;
        first = slot(1);
        size--;
        sizeBytes -= bytes(removed);
        return removed;
    }

    private Element removeLast() {
        Element removed = at(size - 1);
        slots[slot(size - 1)] = null;
        size--;
        sizeBytes -= bytes(removed);
        return removed;
    }

    private boolean replace(int position, Element element) {
        if (position < 0) {
            return false;
        }
        sizeBytes += bytes(element) - bytes(at(position));
        slots[slot(position)] = element;
        return true;
    }

    private boolean remove(Element element) {
        for (int i = 0; i < size; i++) {
            if (at(i).equals(element)) {
                for (int behind = i + 1; behind < size; behind++) {
                    slots[slot(behind - 1)] = at(behind);
                }
                size--;
                slots[slot(size)] = null;
                sizeBytes -= bytes(element);
                return true;
            }
        }
        return false;
    }

    private @Nullable Object retain(IndexRange range) {
        while (size > range.to()) {
            removeLast();
        }
        while (size > range.size()) {
            removeFirst();
        }
        return null;
    }

    @Override
    public List<Element> elements() {
        return range(new IndexRange(0, size));
    }

    @Override
    public void addAll(List<Element> elements) {
        for (Element element : elements) {
            makeRoom();
            slots[slot(size)] = element;
            size++;
            sizeBytes += bytes(element);
        }
    }

    @Override
    public boolean isEmpty() {
        return size == 0;
    }

    private void makeRoom() {
        if (size == slots.length) {
            @Nullable Element[] larger = new @Nullable Element[Math.multiplyExact(size, 2)];
            int behindFirst = size - first;
            System.arraycopy(slots, first, larger, 0, behindFirst);
            System.arraycopy(slots, 0, larger, behindFirst, first);
            slots = larger;
            first = 0;
        }
    }

    private Element at(int position) {
        return Objects.requireNonNull(slots[slot(position)]);
    }

    private int slot(int position) {
        return (first + position) & (slots.length - 1);
    }
}
