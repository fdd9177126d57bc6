// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.client.codec.allow.ClassRefusal;

/**
 * Serializes classes by the name of their array class, which primitive types have as well, without initializing them.
 */
final class ClassSerializer extends ValueSerializer<Class<?>> {
    @Override
    void write(Graph graph, ValueOutput output, Class<?> value) {
        if (value.isHidden() || value == void.class) {
            throw ClassRefusal.of(Types.CODEC, value, "has no name to be found by");
        }
        graph.types().requireNameable(value.arrayType());
        output.writeString(value.arrayType().getName());
    }

    @Override
    Class<?> read(Graph graph, BoundedInput input) {
        try {
            Class<?> named = graph.types().load(input.readName()).getComponentType();
            if (named != null) {
                return named;
            }
        } catch (ClassNotFoundException e) {
            throw new KryoException("A class is not known here", e);
        }
        throw new KryoException("A class is not named by its array");
    }
}
