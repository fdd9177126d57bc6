// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import static io.keyslot.client.stored.OperationArguments.oneIf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A list of elements. */
final class ListModel implements AggregateModel {
    private final Ring ring;
    private long sizeBytes;

    ListModel() {
        this(new Ring());
    }

    private ListModel(Ring ring) {
        this.ring = ring;
    }

    @Override
    public AggregateKind kind() {
        return AggregateKind.LIST;
    }

    @Override
    public @Nullable Object execute(AggregateOperation operation, List<Element> arguments) {
        return switch (operation) {
            case LIST_GET -> get(arguments.get(0));
            case LIST_RANGE -> range(IndexRange.of(arguments.get(0), arguments.get(1), ring.size()));
            case LIST_SIZE -> (long) ring.size();
            case LIST_ADD_FIRST -> addFirst(arguments);
            case LIST_ADD_LAST -> addLast(arguments);
            case LIST_POLL_FIRST -> isEmpty() ? null : removeFirst();
            case LIST_POLL_LAST -> isEmpty() ? null : removeLast();
            case LIST_SET -> oneIf(set(IndexRange.position(arguments.get(0), ring.size()), arguments.get(1)));
            case LIST_REMOVE -> oneIf(remove(arguments.get(0)));
            case LIST_RETAIN -> retain(IndexRange.of(arguments.get(0), arguments.get(1), ring.size()));
            default -> throw OperationArguments.notFor(this, operation);
        };
    }

    private @Nullable Element get(Element index) {
        int position = IndexRange.position(index, ring.size());
        return position < 0 ? null : ring.get(position);
    }

    private List<Element> range(IndexRange range) {
        List<Element> elements = new ArrayList<>(range.size());
        for (int i = range.from(); i < range.to(); i++) {
            elements.add(ring.get(i));
        }
        return Collections.unmodifiableList(elements);
    }

    private long addFirst(List<Element> elements) {
        for (Element element : elements) {
            ring.addFirst(element);
            sizeBytes += OperationArguments.bytes(element);
        }
        return ring.size();
    }

    private long addLast(List<Element> elements) {
        addAll(elements);
        return ring.size();
    }

    private Element removeFirst() {
        return without(ring.removeFirst());
    }

    private Element removeLast() {
        return without(ring.removeLast());
    }

    private Element without(Element removed) {
        sizeBytes -= OperationArguments.bytes(removed);
        return removed;
    }

    private boolean set(int position, Element element) {
        if (position < 0) {
            return false;
        }
        sizeBytes += OperationArguments.bytes(element) - OperationArguments.bytes(ring.get(position));
        ring.set(position, element);
        return true;
    }

    private boolean remove(Element element) {
        for (int i = 0; i < ring.size(); i++) {
            if (ring.get(i).equals(element)) {
                ring.remove(i);
                without(element);
                return true;
            }
        }
        return false;
    }

    private @Nullable Object retain(IndexRange range) {
        while (ring.size() > range.to()) {
            removeLast();
        }
        while (ring.size() > range.size()) {
            removeFirst();
        }
        return null;
    }

    @Override
    public List<Element> elements() {
        return range(new IndexRange(0, ring.size()));
    }

    @Override
    public void addAll(List<Element> elements) {
        for (Element element : elements) {
            ring.addLast(element);
            sizeBytes += OperationArguments.bytes(element);
        }
    }

    @Override
    public boolean isEmpty() {
        return ring.size() == 0;
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public AggregateModel copy() {
        ListModel copy = new ListModel(ring.copy());
        copy.sizeBytes = sizeBytes;
        return copy;
    }

    /** A sequence of elements with fast access by position, and fast additions and removals at both ends. */
    private static final class Ring {
        private static final int SMALLEST = 8;

        private @Nullable Element[] slots;
        private int first;
        private int size;

        Ring() {
            this(SMALLEST);
        }

        private Ring(int capacity) {
            this.slots = new @Nullable Element[capacity];
        }

        int size() {
            return size;
        }

        Element get(int position) {
            return Objects.requireNonNull(slots[slot(position)]);
        }

        void set(int position, Element element) {
            slots[slot(position)] = element;
        }

        void addFirst(Element element) {
            makeRoom();
            first = slot(slots.length - 1);
            size++;
            set(0, element);
        }

        void addLast(Element element) {
            makeRoom();
            size++;
            set(size - 1, element);
        }

        Element removeFirst() {
            Element removed = get(0);
            slots[first] = null;
            first = slot(1);
            size--;
            return removed;
        }

        Element removeLast() {
            Element removed = get(size - 1);
            slots[slot(size - 1)] = null;
            size--;
            return removed;
        }

        void remove(int position) {
            for (int i = position; i < size - 1; i++) {
                set(i, get(i + 1));
            }
            removeLast();
        }

        Ring copy() {
            Ring copy = new Ring(slots.length);
            copy.slots = Arrays.copyOf(slots, slots.length);
            copy.first = first;
            copy.size = size;
            return copy;
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

        /** The number of slots is a power of two. */
        private int slot(int position) {
            return (first + position) & (slots.length - 1);
        }
    }
}
