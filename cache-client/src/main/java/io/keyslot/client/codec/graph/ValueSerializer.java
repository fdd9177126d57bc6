// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import org.jspecify.annotations.Nullable;

/**
 * A stateless serializer that writes to a {@link ValueOutput}, and reads only from a {@link BoundedInput}.
 * {@link #read} calls {@link Graph#reference} before it reads anything that may refer back to the new object.
 */
abstract class ValueSerializer<T> extends Serializer<T> {
    abstract void write(Graph graph, ValueOutput output, T value);

    abstract @Nullable T read(Graph graph, BoundedInput input);

    @Override
    public final void write(Kryo kryo, Output output, T value) {
        write((Graph) kryo, (ValueOutput) output, value);
    }

    @Override
    @SuppressWarnings("NullAway") // Kryo passes null on; only a readResolve of the application returns it.
    public final T read(Kryo kryo, Input input, Class<? extends T> type) {
        return read((Graph) kryo, (BoundedInput) input);
    }
}
