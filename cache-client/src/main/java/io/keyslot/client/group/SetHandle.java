// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import static io.keyslot.client.stored.AggregateOperation.SET_ADD;
import static io.keyslot.client.stored.AggregateOperation.SET_CONTAINS;
import static io.keyslot.client.stored.AggregateOperation.SET_GET_ALL;
import static io.keyslot.client.stored.AggregateOperation.SET_REMOVE;

import io.keyslot.cache.RemoteSet;
import io.keyslot.client.group.ElementCodecs.ElementCoder;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** The handle of a set. Immutable. */
final class SetHandle<E> extends AggregateHandle<RemoteSet<E>> implements RemoteSet<E> {
    private final ElementCoder<E> elements;

    SetHandle(Aggregate aggregate, Class<E> elementClass) {
        super(aggregate, other -> new SetHandle<>(other, elementClass));
        this.elements = aggregate.coder(aggregate.kind().typeName(), elementClass);
    }

    @Override
    public boolean add(E element) {
        return aggregate.test("add", SET_ADD, elements.encode(element));
    }

    @Override
    public int addAll(Collection<? extends E> added) {
        return aggregate.isBatch("an addAll", added.size())
                ? aggregate.count("addAll", SET_ADD, elements.encodeAll(added))
                : 0;
    }

    @Override
    public boolean remove(E element) {
        return aggregate.test("remove", SET_REMOVE, elements.encode(element));
    }

    @Override
    public int removeAll(Collection<? extends E> unwanted) {
        return aggregate.isBatch("a removeAll", unwanted.size())
                ? aggregate.count("removeAll", SET_REMOVE, elements.encodeAll(unwanted))
                : 0;
    }

    @Override
    public boolean contains(E element) {
        return aggregate.test("contains", SET_CONTAINS, elements.encode(element));
    }

    @Override
    public Set<E> toSet() {
        return new LinkedHashSet<>(elements.decodeAll(aggregate.elements("toSet", SET_GET_ALL)));
    }
}
