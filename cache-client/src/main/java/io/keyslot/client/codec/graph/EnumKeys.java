// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import org.jspecify.annotations.Nullable;

/** Finds the enum of an {@code EnumMap}. An empty one tells it to nobody but Java serialization, so we listen to that. */
final class EnumKeys extends ObjectOutputStream {
    private @Nullable Class<?> found;

    private EnumKeys() throws IOException {
        super(OutputStream.nullOutputStream());
    }

    /** Returns a key of the map, or the enum's class if it has none. */
    static Object sampleOf(EnumMap<?, ?> map) {
        return map.isEmpty() ? find(map) : map.keySet().iterator().next();
    }

    static Class<?> typeOf(@Nullable Object sample) {
        if (sample instanceof Enum<?> key) {
            return key.getDeclaringClass();
        }
        if (sample instanceof Class<?> type && type.isEnum()) {
            return type;
        }
        throw new KryoException("A class is not that of an enum");
    }

    private static Class<?> find(EnumMap<?, ?> map) {
        try (EnumKeys keys = new EnumKeys()) {
            keys.writeObject(map);
            if (keys.found == null) {
                throw new IllegalStateException("an EnumMap was serialized without its key type");
            }
            return keys.found;
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
