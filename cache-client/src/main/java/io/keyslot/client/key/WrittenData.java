// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what a {@code writeObject} of a key's class writes besides its fields, for {@link FieldStream} to read. */
final class WrittenData extends ObjectOutputStream {
    private final List<@Nullable Object> items = new ArrayList<>();

    WrittenData() throws IOException {}

    List<@Nullable Object> items() {
        return Collections.unmodifiableList(items);
    }

    /** The fields are components of their own. */
    @Override
    public void defaultWriteObject() {}

    @Override
    public PutField putFields() throws IOException {
        throw new NotSerializableException("fields other than those of the class");
    }

    @Override
    protected void writeObjectOverride(@Nullable Object object) {
        items.add(object);
    }

    @Override
    public void writeUnshared(@Nullable Object object) {
        items.add(object);
    }

    @Override
    public void write(int value) {
        items.add((byte) value);
    }

    @Override
    public void write(byte[] bytes) {
        for (byte value : bytes) {
            write(value);
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        write(Arrays.copyOfRange(bytes, offset, offset + length));
    }

    @Override
    public void writeBoolean(boolean value) {
        items.add(value);
    }

    @Override
    public void writeByte(int value) {
        items.add((byte) value);
    }

    @Override
    public void writeShort(int value) {
        items.add((short) value);
    }

    @Override
    public void writeChar(int value) {
        items.add((char) value);
    }

    @Override
    public void writeInt(int value) {
        items.add(value);
    }

    @Override
    public void writeLong(long value) {
        items.add(value);
    }

    @Override
    public void writeFloat(float value) {
        items.add(value);
    }

    @Override
    public void writeDouble(double value) {
        items.add(value);
    }

    @Override
    public void writeUTF(String text) {
        items.add(text);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
