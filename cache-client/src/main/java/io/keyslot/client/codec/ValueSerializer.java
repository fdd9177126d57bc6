// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.Serializer;
import org.jspecify.annotations.Nullable;

/** Writes and reads the objects of one class. Stateless. */
interface ValueSerializer<T> {
    void write(Graph graph, ValueOutput output, T value);

    /**
     * Reads an object. Calls {@link References#setRead} with the id, unless the object cannot be referred to, before it
     * reads anything that may refer back to the object.
     */
    @Nullable
    T read(Graph graph, BoundedInput input, int id);

    /** Returns one of Kryo's serializers, of objects that contain no others. */
    static <T> ValueSerializer<T> of(Serializer<T> serializer, Class<? extends T> type) {
        return new ValueSerializer<>() {
            @Override
            public void write(Graph graph, ValueOutput output, T value) {
                serializer.write(null, output, value);
            }

            @Override
            public T read(Graph graph, BoundedInput input, int id) {
                return serializer.read(null, input, type);
            }
        };
    }
}
