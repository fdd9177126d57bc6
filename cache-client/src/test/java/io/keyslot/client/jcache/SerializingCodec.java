// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.Codec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;

/** A codec as an application may have one: for values of any type. */
public final class SerializingCodec implements Codec<Object> {
    @Override
    public String name() {
        return "serializing";
    }

    @Override
    public byte[] encode(Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
            objects.writeObject(value);
        } catch (IOException e) {
            throw new IllegalArgumentException("not serializable", e);
        }
        return bytes.toByteArray();
    }

    @Override
    public Object decode(ByteBuffer bytes) {
        byte[] array = new byte[bytes.remaining()];
        bytes.get(array);
        try (ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(array))) {
            return objects.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalArgumentException("not a value", e);
        }
    }
}
