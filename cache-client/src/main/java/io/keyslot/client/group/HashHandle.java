// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import static io.keyslot.client.stored.AggregateOperation.HASH_CONTAINS;
import static io.keyslot.client.stored.AggregateOperation.HASH_FIELDS;
import static io.keyslot.client.stored.AggregateOperation.HASH_GET;
import static io.keyslot.client.stored.AggregateOperation.HASH_GET_ALL;
import static io.keyslot.client.stored.AggregateOperation.HASH_GET_MANY;
import static io.keyslot.client.stored.AggregateOperation.HASH_INCREMENT;
import static io.keyslot.client.stored.AggregateOperation.HASH_INCREMENT_BY_DOUBLE;
import static io.keyslot.client.stored.AggregateOperation.HASH_PUT;
import static io.keyslot.client.stored.AggregateOperation.HASH_PUT_IF_ABSENT;
import static io.keyslot.client.stored.AggregateOperation.HASH_PUT_MANY;
import static io.keyslot.client.stored.AggregateOperation.HASH_REMOVE;
import static io.keyslot.client.stored.AggregateOperation.HASH_REMOVE_MANY;

import io.keyslot.cache.RemoteHash;
import io.keyslot.client.group.ElementCodecs.ElementCoder;
import io.keyslot.client.stored.Element;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The handle of a hash. Immutable. */
final class HashHandle<F, V> extends AggregateHandle<RemoteHash<F, V>> implements RemoteHash<F, V> {
    private static final Set<Class<?>> WHOLE_NUMBERS =
            Set.of(Long.class, Integer.class, Short.class, Byte.class, String.class);

    private static final Set<Class<?>> FRACTIONS = Set.of(Double.class, Float.class, String.class);

    private final ElementCoder<F> fields;
    private final ElementCoder<V> values;

    HashHandle(Aggregate aggregate, Class<F> fieldClass, Class<V> valueClass) {
        super(aggregate, other -> new HashHandle<>(other, fieldClass, valueClass));
        this.fields = aggregate.coder("field", fieldClass);
        this.values = aggregate.coder("value", valueClass);
    }

    @Override
    public @Nullable V get(F field) {
        Element name = fields.encode(field);
        return values.of(name).decodeOrNull(aggregate.element("get", HASH_GET, name));
    }

    @Override
    public Map<F, V> getAll(Collection<? extends F> wanted) {
        List<F> asked = List.copyOf(new LinkedHashSet<>(wanted));
        Map<F, V> found = new LinkedHashMap<>();
        if (!aggregate.isBatch("a getAll", asked.size())) {
            return found;
        }
        List<Element> names = fields.encodeAll(asked);
        List<Element> answers = aggregate.elements("getAll", HASH_GET_MANY, names);
        for (int i = 0; i < answers.size(); i++) {
            V value = values.of(names.get(i)).decodeOrNull(answers.get(i));
            if (value != null) {
                found.put(asked.get(i), value);
            }
        }
        return found;
    }

    @Override
    public @Nullable V put(F field, V value) {
        Element name = fields.encode(field);
        ElementCoder<V> coder = values.of(name);
        return coder.decodeOrNull(aggregate.element("put", HASH_PUT, name, coder.encode(value)));
    }

    @Override
    public void putAll(Map<? extends F, ? extends V> entries) {
        if (!aggregate.isBatch("a putAll", entries.size())) {
            return;
        }
        List<Element> arguments = new ArrayList<>(2 * entries.size());
        entries.forEach((field, value) -> {
            Element name = fields.encode(field);
            arguments.add(name);
            arguments.add(values.of(name).encode(value));
        });
        aggregate.number("putAll", HASH_PUT_MANY, arguments);
    }

    @Override
    public boolean putIfAbsent(F field, V value) {
        Element name = fields.encode(field);
        return aggregate.test(
                "putIfAbsent", HASH_PUT_IF_ABSENT, name, values.of(name).encode(value));
    }

    @Override
    public @Nullable V remove(F field) {
        Element name = fields.encode(field);
        return values.of(name).decodeOrNull(aggregate.element("remove", HASH_REMOVE, name));
    }

    @Override
    public int removeAll(Collection<? extends F> unwanted) {
        return aggregate.isBatch("a removeAll", unwanted.size())
                ? aggregate.count("removeAll", HASH_REMOVE_MANY, fields.encodeAll(unwanted))
                : 0;
    }

    @Override
    public boolean containsKey(F field) {
        return aggregate.test("containsKey", HASH_CONTAINS, fields.encode(field));
    }

    @Override
    public Set<F> keySet() {
        return new LinkedHashSet<>(fields.decodeAll(aggregate.elements("keySet", HASH_FIELDS)));
    }

    @Override
    public Map<F, V> toMap() {
        List<Element> answers = aggregate.elements("toMap", HASH_GET_ALL);
        Map<F, V> all = new LinkedHashMap<>();
        for (int i = 0; i < answers.size(); i += 2) {
            Element name = answers.get(i);
            all.put(fields.decode(name), values.of(name).decode(answers.get(i + 1)));
        }
        return all;
    }

    @Override
    public long increment(F field, long delta) {
        requireValues(WHOLE_NUMBERS, "a whole number is added to Long, Integer, Short, Byte or String");
        return aggregate.number("increment", HASH_INCREMENT, fields.encode(field), Element.of(delta));
    }

    @Override
    public double increment(F field, double delta) {
        requireValues(FRACTIONS, "a double is added to Double, Float or String");
        Element argument = aggregate.finite(delta);
        Element sum = aggregate.element("increment", HASH_INCREMENT_BY_DOUBLE, fields.encode(field), argument);
        return Aggregate.parseScore(Objects.requireNonNull(sum));
    }

    private void requireValues(Set<Class<?>> classes, String what) {
        values.requirePlain("increment", "the server cannot add to them; use a counter, or put in a transaction");
        if (!classes.contains(values.type())) {
            throw new UnsupportedOperationException("%s: its values are of %s, but %s"
                    .formatted(aggregate.title(), values.type().getName(), what));
        }
    }
}
