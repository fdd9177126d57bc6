// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.cache.failure.CodecException;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** A set of enum constants: the enum's class and the names. */
@SuppressWarnings({"rawtypes", "unchecked"}) // The type of an enum read from bytes cannot be expressed.
final class EnumSetSerializer extends ValueSerializer<EnumSet> {
    @Override
    void write(Graph graph, ValueOutput output, EnumSet set) {
        EnumSet known = set.isEmpty() ? EnumSet.complementOf(set) : set;
        if (known.isEmpty()) {
            throw new CodecException("Codec kryo: an EnumSet of an enum without constants has no encoded form");
        }
        Class<?> type = ((Enum<?>) known.iterator().next()).getDeclaringClass();
        graph.writeClass(output, type);
        output.writeVarInt(set.size(), true);
        for (Object constant : set) {
            output.writeText(((Enum<?>) constant).name());
        }
    }

    @Override
    EnumSet read(Graph graph, BoundedInput input) {
        Class type = readEnumClass(graph, input);
        EnumSet set = EnumSet.noneOf(type);
        graph.reference(set);
        int size = input.readLength(1);
        for (int i = 0; i < size; i++) {
            set.add(Enum.valueOf(type, input.readText()));
        }
        return set;
    }

    static Class readEnumClass(Graph graph, BoundedInput input) {
        @Nullable Object registration = graph.readClass(input);
        if (registration instanceof GraphType type && type.getType().isEnum()) {
            return type.getType();
        }
        throw new KryoException("A class is not that of an enum");
    }
}
