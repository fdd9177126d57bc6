// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.cache.failure.CodecException;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Serializes a set of enum constants, or a map with such keys: the enum's class, and names, with values for a map. */
@SuppressWarnings({"rawtypes", "unchecked"}) // The type of an enum read from bytes cannot be expressed.
final class EnumContainerSerializer extends ValueSerializer<Object> {
    private final boolean isMap;

    EnumContainerSerializer(boolean isMap) {
        this.isMap = isMap;
    }

    @Override
    void write(Graph graph, ValueOutput output, Object container) {
        Map<?, ?> map = isMap ? (Map<?, ?>) container : Map.of();
        Collection<?> constants = isMap ? map.keySet() : (Collection<?>) container;
        graph.writeClass(output, enumOf(container, constants));
        output.writeVarInt(constants.size(), true);
        for (Object constant : constants) {
            output.writeString(((Enum<?>) constant).name());
            if (isMap) {
                graph.writeValue(output, map.get(constant));
            }
        }
    }

    @Override
    Object read(Graph graph, BoundedInput input) {
        @Nullable Object registration = graph.readClass(input);
        if (!(registration instanceof GraphType enumType)) {
            throw new KryoException("A class is not that of an enum");
        }
        boolean isKnown = enumType.failure() == null;
        Class type = enumType.getType();
        if (isKnown && !type.isEnum()) {
            throw new KryoException("A class is not that of an enum");
        }
        Object container = isKnown ? isMap ? new EnumMap(type) : EnumSet.noneOf(type) : References.UNREAD;
        graph.reference(container);
        int size = input.readLength(1);
        for (int i = 0; i < size; i++) {
            String name = input.readString();
            Object constant = isKnown ? Enum.valueOf(type, name) : name;
            Object value = isMap ? graph.readValue(input) : null;
            if (container instanceof Map map) {
                map.put(constant, value);
            } else if (container instanceof Collection set) {
                set.add(constant);
            }
        }
        return container;
    }

    private static Class<?> enumOf(Object container, Collection<?> constants) {
        Collection<?> some = container instanceof EnumSet set && set.isEmpty() ? EnumSet.complementOf(set) : constants;
        if (!some.isEmpty()) {
            return ((Enum<?>) some.iterator().next()).getDeclaringClass();
        }
        if (container instanceof EnumMap<?, ?> map) {
            return keyTypeOf(map);
        }
        throw new CodecException("Codec kryo: an EnumSet of an enum without constants has no encoded form");
    }

    /** Only the serialized form of an empty map contains its key type. */
    private static Class<?> keyTypeOf(EnumMap<?, ?> map) {
        AtomicReference<@Nullable Class<?>> found = new AtomicReference<>();
        try (ObjectOutputStream listening = new ObjectOutputStream(OutputStream.nullOutputStream()) {
            @Override
            protected void annotateClass(Class<?> type) {
                if (type.isEnum()) {
                    found.set(type);
                }
            }
        }) {
            listening.writeObject(map);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Objects.requireNonNull(found.get());
    }
}
