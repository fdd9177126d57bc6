// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.io.IOException;
import java.io.NotActiveException;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a class with a {@code writeObject} of its own writes to. It has the type that Java serialization prescribes and
 * nothing else of it: every object goes through the graph, with its allow list.
 */
final class CustomOutput extends ObjectOutputStream {
    /** Follows each layer, so that a class that reads less or more than it wrote is noticed. */
    static final byte END = 0x7E;

    private final Graph graph;
    private final ValueOutput output;
    private final CustomLayer layer;
    private final Object owner;
    private @Nullable CustomFields fields;

    private CustomOutput(Graph graph, ValueOutput output, CustomLayer layer, Object owner) throws IOException {
        this.graph = graph;
        this.output = output;
        this.layer = layer;
        this.owner = owner;
    }

    static void write(Graph graph, ValueOutput output, CustomLayer layer, Object owner) {
        try (CustomOutput custom = new CustomOutput(graph, output, layer, owner)) {
            if (layer.writeObject() == null) {
                custom.defaultWriteObject();
            } else {
                Reflection.invoke(layer.writeObject(), owner, custom);
            }
        } catch (IOException e) {
            throw new IllegalStateException("a stream in memory failed", e);
        }
        output.writeByte(END);
    }

    @Override
    public void defaultWriteObject() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        layer.fields().forEach(field -> values.put(field.name(), field.get(owner)));
        writeFields(values);
    }

    @Override
    public PutField putFields() {
        if (fields == null) {
            fields = new CustomFields();
        }
        return fields;
    }

    @Override
    public void writeFields() throws IOException {
        if (fields == null) {
            throw new NotActiveException("writeFields without putFields");
        }
        writeFields(fields.values());
    }

    private void writeFields(Map<String, @Nullable Object> values) {
        output.writeVarInt(values.size(), true);
        values.forEach((name, value) -> {
            output.writeString(name);
            graph.writeValue(output, value);
        });
    }

    @Override
    protected void writeObjectOverride(@Nullable Object object) {
        graph.writeValue(output, object);
    }

    @Override
    public void writeUnshared(@Nullable Object object) {
        graph.writeValue(output, object);
    }

    @Override
    public void write(int b) {
        output.writeByte(b);
    }

    @Override
    public void write(byte[] bytes) {
        output.writeBytes(bytes);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        output.writeBytes(bytes, offset, length);
    }

    @Override
    public void writeBoolean(boolean value) {
        output.writeBoolean(value);
    }

    @Override
    public void writeByte(int value) {
        output.writeByte(value);
    }

    @Override
    public void writeShort(int value) {
        output.writeShort(value);
    }

    @Override
    public void writeChar(int value) {
        output.writeChar((char) value);
    }

    @Override
    public void writeInt(int value) {
        output.writeInt(value);
    }

    @Override
    public void writeLong(long value) {
        output.writeLong(value);
    }

    @Override
    public void writeFloat(float value) {
        output.writeFloat(value);
    }

    @Override
    public void writeDouble(double value) {
        output.writeDouble(value);
    }

    @Override
    public void writeBytes(String text) {
        text.chars().forEach(output::writeByte);
    }

    @Override
    public void writeChars(String text) {
        text.chars().forEach(c -> output.writeChar((char) c));
    }

    @Override
    public void writeUTF(String text) {
        output.writeString(text);
    }

    @Override
    public void useProtocolVersion(int version) {}

    @Override
    public void reset() throws IOException {
        throw new IOException("reset within a writeObject");
    }

    /** Nothing is buffered here. */
    @Override
    public void flush() {}

    @Override
    public void close() {}

    /** Collects the fields of {@code putFields}. */
    private static final class CustomFields extends PutField {
        private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

        Map<String, @Nullable Object> values() {
            return values;
        }

        @Override
        public void put(String name, boolean value) {
            values.put(name, value);
        }

        @Override
        public void put(String name, byte value) {
            values.put(name, value);
        }

        @Override
        public void put(String name, char value) {
            values.put(name, value);
        }

        @Override
        public void put(String name, short value) {
            values.put(name, value);
        }

        @Override
        public void put(String name, int value) {
            values.put(name, value);
        }

        @Override
        public void put(String name, long value) {
            values.put(name, value);
        }

        @Override
        public void put(String name, float value) {
            values.put(name, value);
        }

        @Override
        public void put(String name, double value) {
            values.put(name, value);
        }

        @Override
        public void put(String name, @Nullable Object value) {
            values.put(name, value);
        }

        @Override
        @Deprecated
        public void write(ObjectOutput out) {
            throw new UnsupportedOperationException("use writeFields");
        }
    }
}
