// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A sequence of elements with fast access by position, and fast additions and removals at both ends. */
final class Ring {
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
