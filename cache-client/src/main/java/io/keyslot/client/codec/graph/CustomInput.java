// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.ObjectStreamClass;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a class with a {@code readObject} of its own reads from: the counterpart of {@link CustomOutput}. */
final class CustomInput extends ObjectInputStream {
    /** A field's name and value have at least one byte each. */
    private static final int BYTES_PER_FIELD = 2;

    private final Graph graph;
    private final BoundedInput input;
    private final CustomLayer layer;
    private final Object owner;

    private CustomInput(Graph graph, BoundedInput input, CustomLayer layer, Object owner) throws IOException {
        this.graph = graph;
        this.input = input;
        this.layer = layer;
        this.owner = owner;
    }

    /** Reads a layer. */
    static void read(Graph graph, BoundedInput input, CustomLayer layer, Object owner) {
        try (CustomInput custom = new CustomInput(graph, input, layer, owner)) {
            Reflection.invoke(layer.readObject(), owner, custom);
        } catch (IOException e) {
            throw new IllegalStateException("a stream in memory failed", e);
        }
        if (input.readByte() != CustomOutput.END) {
            throw new KryoException(
                    "%s does not read what it wrote".formatted(layer.type().getName()));
        }
    }

    @Override
    public void defaultReadObject() {
        Map<String, @Nullable Object> values = readFieldMap();
        for (FieldAccess field : layer.fields()) {
            if (values.containsKey(field.name())) {
                field.set(owner, values.get(field.name()));
            }
        }
    }

    @Override
    public GetField readFields() {
        return new CustomFields(layer.type(), readFieldMap());
    }

    private Map<String, @Nullable Object> readFieldMap() {
        int size = input.readLength(BYTES_PER_FIELD);
        Map<String, @Nullable Object> values = new HashMap<>();
        for (int i = 0; i < size; i++) {
            String name = input.readString();
            values.put(name, graph.readValue(input));
        }
        return values;
    }

    @Override
    public void registerValidation(ObjectInputValidation validation, int priority) {
        graph.addValidation(validation);
    }

    @Override
    protected @Nullable Object readObjectOverride() {
        return graph.readValue(input);
    }

    @Override
    public @Nullable Object readUnshared() {
        return graph.readValue(input);
    }

    @Override
    public int read() {
        return input.readByteUnsigned();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        input.readBytes(into, offset, length);
        return length;
    }

    @Override
    public int read(byte[] into) {
        return read(into, 0, into.length);
    }

    @Override
    public void readFully(byte[] into) {
        input.readBytes(into);
    }

    @Override
    public void readFully(byte[] into, int offset, int length) {
        input.readBytes(into, offset, length);
    }

    @Override
    public boolean readBoolean() {
        return input.readBoolean();
    }

    @Override
    public byte readByte() {
        return input.readByte();
    }

    @Override
    public int readUnsignedByte() {
        return input.readByteUnsigned();
    }

    @Override
    public short readShort() {
        return input.readShort();
    }

    @Override
    public int readUnsignedShort() {
        return input.readShortUnsigned();
    }

    @Override
    public char readChar() {
        return input.readChar();
    }

    @Override
    public int readInt() {
        return input.readInt();
    }

    @Override
    public long readLong() {
        return input.readLong();
    }

    @Override
    public float readFloat() {
        return input.readFloat();
    }

    @Override
    public double readDouble() {
        return input.readDouble();
    }

    @Override
    public String readUTF() {
        return input.readString();
    }

    @Override
    public int skipBytes(int length) {
        if (length <= 0) {
            // Backwards is where bytes of others are.
            return 0;
        }
        input.skip(length);
        return length;
    }

    /** How much belongs to this object is not known. */
    @Override
    public int available() {
        return 0;
    }

    @Override
    public void close() {}

    /** The fields of {@code readFields}. */
    private static final class CustomFields extends GetField {
        private final Class<?> type;
        private final Map<String, @Nullable Object> values;

        CustomFields(Class<?> type, Map<String, @Nullable Object> values) {
            this.type = type;
            this.values = values;
        }

        @Override
        public @Nullable ObjectStreamClass getObjectStreamClass() {
            return ObjectStreamClass.lookup(type);
        }

        @Override
        public boolean defaulted(String name) {
            return !values.containsKey(name);
        }

        @Override
        public boolean get(String name, boolean missing) {
            return value(name, Boolean.class, missing);
        }

        @Override
        public byte get(String name, byte missing) {
            return value(name, Byte.class, missing);
        }

        @Override
        public char get(String name, char missing) {
            return value(name, Character.class, missing);
        }

        @Override
        public short get(String name, short missing) {
            return value(name, Short.class, missing);
        }

        @Override
        public int get(String name, int missing) {
            return value(name, Integer.class, missing);
        }

        @Override
        public long get(String name, long missing) {
            return value(name, Long.class, missing);
        }

        @Override
        public float get(String name, float missing) {
            return value(name, Float.class, missing);
        }

        @Override
        public double get(String name, double missing) {
            return value(name, Double.class, missing);
        }

        @Override
        public @Nullable Object get(String name, @Nullable Object missing) {
            return values.containsKey(name) ? values.get(name) : missing;
        }

        private <T> T value(String name, Class<T> box, T missing) {
            return values.containsKey(name) ? Objects.requireNonNull(box.cast(values.get(name))) : missing;
        }
    }
}
