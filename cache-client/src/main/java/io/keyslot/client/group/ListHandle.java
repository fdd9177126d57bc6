// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import static io.keyslot.client.stored.AggregateOperation.LIST_ADD_FIRST;
import static io.keyslot.client.stored.AggregateOperation.LIST_ADD_LAST;
import static io.keyslot.client.stored.AggregateOperation.LIST_GET;
import static io.keyslot.client.stored.AggregateOperation.LIST_POLL_FIRST;
import static io.keyslot.client.stored.AggregateOperation.LIST_POLL_LAST;
import static io.keyslot.client.stored.AggregateOperation.LIST_RANGE;
import static io.keyslot.client.stored.AggregateOperation.LIST_REMOVE;
import static io.keyslot.client.stored.AggregateOperation.LIST_RETAIN;
import static io.keyslot.client.stored.AggregateOperation.LIST_SET;

import io.keyslot.cache.RemoteList;
import io.keyslot.client.group.ElementCodecs.ElementCoder;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The handle of a list. Immutable. */
final class ListHandle<E> extends AggregateHandle<RemoteList<E>> implements RemoteList<E> {
    private static final int LAST = -1;

    private final ElementCoder<E> elements;

    ListHandle(Aggregate aggregate, Class<E> elementClass) {
        super(aggregate, other -> new ListHandle<>(other, elementClass));
        this.elements = aggregate.coder(aggregate.kind().typeName(), elementClass);
    }

    @Override
    public void addFirst(E element) {
        aggregate.number("addFirst", LIST_ADD_FIRST, elements.encode(element));
    }

    @Override
    public void addLast(E element) {
        aggregate.number("addLast", LIST_ADD_LAST, elements.encode(element));
    }

    @Override
    public void addAll(Collection<? extends E> added) {
        if (aggregate.isBatch("an addAll", added.size())) {
            aggregate.number("addAll", LIST_ADD_LAST, elements.encodeAll(added));
        }
    }

    @Override
    public @Nullable E pollFirst() {
        return elements.decodeOrNull(aggregate.element("pollFirst", LIST_POLL_FIRST));
    }

    @Override
    public @Nullable E pollLast() {
        return elements.decodeOrNull(aggregate.element("pollLast", LIST_POLL_LAST));
    }

    @Override
    public @Nullable E peekFirst() {
        return at("peekFirst", 0);
    }

    @Override
    public @Nullable E peekLast() {
        return at("peekLast", LAST);
    }

    @Override
    public @Nullable E takeFirst(Duration atMost) {
        return take("takeFirst", LIST_POLL_FIRST, atMost);
    }

    @Override
    public @Nullable E takeLast(Duration atMost) {
        return take("takeLast", LIST_POLL_LAST, atMost);
    }

    private @Nullable E take(String called, AggregateOperation poll, Duration atMost) {
        Objects.requireNonNull(atMost, "atMost");
        return elements.decodeOrNull(aggregate.access().take(atMost, () -> aggregate.element(called, poll)));
    }

    @Override
    public @Nullable E get(int index) {
        return at("get", index);
    }

    private @Nullable E at(String called, int index) {
        return elements.decodeOrNull(aggregate.element(called, LIST_GET, Element.of(index)));
    }

    @Override
    public void set(int index, E element) {
        if (!aggregate.test("set", LIST_SET, Element.of(index), elements.encode(element))) {
            throw new IndexOutOfBoundsException(
                    "%s: there is no element at index %d: nothing was changed".formatted(aggregate.title(), index));
        }
    }

    @Override
    public List<E> subList(int from, int to) {
        return aggregate.isRange(from, to) ? range("subList", from, to - 1) : new ArrayList<>();
    }

    @Override
    public List<E> toList() {
        return range("toList", 0, LAST);
    }

    private List<E> range(String called, int first, int last) {
        return elements.decodeAll(aggregate.elements(called, LIST_RANGE, Element.of(first), Element.of(last)));
    }

    @Override
    public boolean remove(E element) {
        return aggregate.test("remove", LIST_REMOVE, elements.encode(element));
    }

    @Override
    public void retain(int from, int to) {
        if (aggregate.isRange(from, to)) {
            aggregate.apply("retain", LIST_RETAIN, List.of(Element.of(from), Element.of(to - 1)));
        } else {
            delete("retain");
        }
    }
}
