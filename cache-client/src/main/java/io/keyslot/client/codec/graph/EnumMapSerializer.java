// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A map with enum constants as keys: the enum's class, and names with values. */
@SuppressWarnings({"rawtypes", "unchecked"}) // The type of an enum read from bytes cannot be expressed.
final class EnumMapSerializer extends ValueSerializer<EnumMap> {
    @Override
    void write(Graph graph, ValueOutput output, EnumMap map) {
        graph.writeClass(output, keyType(map));
        output.writeVarInt(map.size(), true);
        for (Map.Entry<Enum<?>, @Nullable Object> entry :
                ((EnumMap<?, ?>) map).entrySet().toArray(new Map.Entry[0])) {
            output.writeText(entry.getKey().name());
            graph.writeValue(output, entry.getValue());
        }
    }

    @Override
    EnumMap read(Graph graph, BoundedInput input) {
        Class type = EnumSetSerializer.readEnumClass(graph, input);
        EnumMap map = new EnumMap(type);
        graph.reference(map);
        int size = input.readLength(MapSerializer.BYTES_PER_ENTRY);
        for (int i = 0; i < size; i++) {
            Enum key = Enum.valueOf(type, input.readText());
            map.put(key, graph.readValue(input));
        }
        return map;
    }

    private static Class<?> keyType(EnumMap<?, ?> map) {
        return map.isEmpty()
                ? KeyTypeFinder.find(map)
                : map.keySet().iterator().next().getDeclaringClass();
    }

    /** An empty map tells its key type to nobody but Java serialization, so we listen to that. */
    private static final class KeyTypeFinder extends ObjectOutputStream {
        private @Nullable Class<?> found;

        private KeyTypeFinder() throws IOException {
            super(OutputStream.nullOutputStream());
        }

        static Class<?> find(EnumMap<?, ?> map) {
            try (KeyTypeFinder finder = new KeyTypeFinder()) {
                finder.writeObject(map);
                if (finder.found == null) {
                    throw new IllegalStateException("an EnumMap was serialized without its key type");
                }
                return finder.found;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        protected void annotateClass(Class<?> type) {
            if (type.isEnum()) {
                found = type;
            }
        }
    }
}
