// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.ObjectStreamField;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes objects of classes of ours as if they were of classes of the JDK: with the fields that they have, and with what
 * they write by themselves. So a test can say of a collection what no collection would say.
 */
final class ForgingOutput extends ObjectOutputStream {
    private final Map<Class<?>, Class<?>> disguises;

    private ForgingOutput(OutputStream target, Map<Class<?>, Class<?>> disguises) throws IOException {
        super(target);
        this.disguises = disguises;
    }

    static byte[] bytesOf(Serializable value, Map<Class<?>, Class<?>> disguises) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ForgingOutput output = new ForgingOutput(bytes, disguises)) {
            output.writeObject(value);
        }
        return bytes.toByteArray();
    }

    @Override
    protected void writeClassDescriptor(ObjectStreamClass description) throws IOException {
        @Nullable Class<?> disguise = disguises.get(description.forClass());
        if (disguise == null) {
            super.writeClassDescriptor(description);
            return;
        }
        writeUTF(disguise.getName());
        writeLong(ObjectStreamClass.lookup(disguise).getSerialVersionUID());
        writeByte(ObjectStreamConstants.SC_SERIALIZABLE
                | (writesItself(description) ? ObjectStreamConstants.SC_WRITE_METHOD : 0));
        writeShort(description.getFields().length);
        for (ObjectStreamField field : description.getFields()) {
            writeByte(field.getTypeCode());
            writeUTF(field.getName());
            if (!field.isPrimitive()) {
                writeObject(field.getTypeString());
            }
        }
    }

    private static boolean writesItself(ObjectStreamClass description) {
        return Arrays.stream(description.forClass().getDeclaredMethods())
                .anyMatch(method -> method.getName().equals("writeObject"));
    }
}
