// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.client.codec.allow.ClassRefusal;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Classes by name. One that may not be named is refused before it is loaded; none is initialized. */
final class ClassSerializer extends ValueSerializer<Class<?>> {
    private static final Map<String, Class<?>> PRIMITIVES = Stream.<Class<?>>of(
                    boolean.class,
                    byte.class,
                    char.class,
                    short.class,
                    int.class,
                    long.class,
                    float.class,
                    double.class,
                    void.class)
            .collect(Collectors.toUnmodifiableMap(Class::getName, Function.identity()));

    @Override
    void write(Graph graph, ValueOutput output, Class<?> value) {
        if (value.isHidden()) {
            throw ClassRefusal.of(Types.CODEC, value, "is a hidden class, which has no name to be found by");
        }
        if (!value.isPrimitive()) {
            graph.types().requireNameable(value);
        }
        output.writeString(value.getName());
    }

    @Override
    Class<?> read(Graph graph, BoundedInput input) {
        String name = input.readName();
        Class<?> primitive = PRIMITIVES.get(name);
        if (primitive != null) {
            return primitive;
        }
        try {
            return graph.types().load(name);
        } catch (ClassNotFoundException e) {
            throw new KryoException("A class is not known here", e);
        }
    }
}
