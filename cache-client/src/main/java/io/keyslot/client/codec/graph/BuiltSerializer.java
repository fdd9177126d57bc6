// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;

/**
 * Another serializer, of objects that exist only after all they contain was read, such as records and {@code List.of}. A
 * cycle through them could not be read again, so it is refused when it is written.
 */
final class BuiltSerializer<T> extends Serializer<T> {
    final Serializer<T> serializer;

    BuiltSerializer(Serializer<T> serializer) {
        this.serializer = serializer;
    }

    @Override
    public void write(Kryo kryo, Output output, T value) {
        References references = ((Graph) kryo).references();
        int id = references.beginBuilt();
        serializer.write(kryo, output, value);
        references.endBuilt(id);
    }

    @Override
    public T read(Kryo kryo, Input input, Class<? extends T> type) {
        return serializer.read(kryo, input, type);
    }
}
