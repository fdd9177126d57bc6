// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.ObjectStreamClass;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code readObject} of a key's class reads from when the key is rebuilt: the fields that are in the text, and what
 * {@link WrittenData} has collected, if that is in the text. So it can compute what is not, such as a transient hash code.
 *
 * <p>Every other read is refused with an {@link OtherDataException}.
 */
final class FieldStream extends ObjectInputStream {
    private final Class<?> type;
    private final Object owner;
    private final Map<FieldComponent, @Nullable Object> fields;
    private final Iterator<?> written;
    private final List<ObjectInputValidation> validations = new ArrayList<>();

    /** A stream for the fields that one class of the owner's declares. */
    FieldStream(Class<?> type, Object owner, Map<FieldComponent, @Nullable Object> fields, List<?> written)
            throws IOException {
        this.written = written.iterator();
        this.type = type;
        this.owner = owner;
        this.fields = fields;
    }

    /** Runs what the class wanted to validate when the object is complete. */
    void validate() throws InvalidObjectException {
        for (ObjectInputValidation validation : validations) {
            validation.validateObject();
        }
    }

    @Override
    public void defaultReadObject() {
        fields.forEach((component, value) -> component.set(owner, value));
    }

    @Override
    public GetField readFields() {
        return new ReadFields(type, fields);
    }

    @Override
    public void registerValidation(ObjectInputValidation validation, int priority) {
        validations.add(validation);
    }

    private @Nullable Object next() throws OtherDataException {
        if (!written.hasNext()) {
            throw new OtherDataException();
        }
        return written.next();
    }

    private <T> T next(Class<T> box) throws OtherDataException {
        Object item = next();
        if (!box.isInstance(item)) {
            throw new OtherDataException();
        }
        return box.cast(item);
    }

    @Override
    protected @Nullable Object readObjectOverride() throws IOException {
        return next();
    }

    @Override
    public @Nullable Object readUnshared() throws IOException {
        return next();
    }

    @Override
    public int read() throws IOException {
        return readUnsignedByte();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        readFully(into, offset, length);
        return length;
    }

    @Override
    public void readFully(byte[] into) throws IOException {
        readFully(into, 0, into.length);
    }

    @Override
    public void readFully(byte[] into, int offset, int length) throws IOException {
        for (int i = 0; i < length; i++) {
            into[offset + i] = readByte();
        }
    }

    @Override
    public int readUnsignedByte() throws IOException {
        return Byte.toUnsignedInt(readByte());
    }

    @Override
    public int readUnsignedShort() throws IOException {
        return Short.toUnsignedInt(readShort());
    }

    @Override
    public String readUTF() throws IOException {
        return next(String.class);
    }

    @Override
    public boolean readBoolean() throws IOException {
        return next(Boolean.class);
    }

    @Override
    public byte readByte() throws IOException {
        return next(Byte.class);
    }

    @Override
    public short readShort() throws IOException {
        return next(Short.class);
    }

    @Override
    public char readChar() throws IOException {
        return next(Character.class);
    }

    @Override
    public int readInt() throws IOException {
        return next(Integer.class);
    }

    @Override
    public long readLong() throws IOException {
        return next(Long.class);
    }

    @Override
    public float readFloat() throws IOException {
        return next(Float.class);
    }

    @Override
    public double readDouble() throws IOException {
        return next(Double.class);
    }

    @Override
    public int skipBytes(int length) {
        return 0;
    }

    @Override
    public int available() {
        return 0;
    }

    @Override
    public void close() {}

    /** A class reads what a key's text does not have. */
    static final class OtherDataException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** The fields by their names. */
    private static final class ReadFields extends GetField {
        private final Class<?> type;
        private final Map<FieldComponent, @Nullable Object> fields;

        ReadFields(Class<?> type, Map<FieldComponent, @Nullable Object> fields) {
            this.type = type;
            this.fields = fields;
        }

        private @Nullable Object value(String name) {
            for (Map.Entry<FieldComponent, @Nullable Object> field : fields.entrySet()) {
                if (field.getKey().field().getName().equals(name)) {
                    return field.getValue();
                }
            }
            throw new IllegalArgumentException("its class has no field of a name that it reads");
        }

        private <T> T primitive(String name, Class<T> box) {
            Object value = value(name);
            if (!box.isInstance(value)) {
                throw new IllegalArgumentException("its class has a field of another type than it reads");
            }
            return box.cast(value);
        }

        @Override
        public ObjectStreamClass getObjectStreamClass() {
            return ObjectStreamClass.lookup(type);
        }

        @Override
        public boolean defaulted(String name) {
            return false;
        }

        @Override
        public boolean get(String name, boolean missing) {
            return primitive(name, Boolean.class);
        }

        @Override
        public byte get(String name, byte missing) {
            return primitive(name, Byte.class);
        }

        @Override
        public char get(String name, char missing) {
            return primitive(name, Character.class);
        }

        @Override
        public short get(String name, short missing) {
            return primitive(name, Short.class);
        }

        @Override
        public int get(String name, int missing) {
            return primitive(name, Integer.class);
        }

        @Override
        public long get(String name, long missing) {
            return primitive(name, Long.class);
        }

        @Override
        public float get(String name, float missing) {
            return primitive(name, Float.class);
        }

        @Override
        public double get(String name, double missing) {
            return primitive(name, Double.class);
        }

        @Override
        public @Nullable Object get(String name, @Nullable Object missing) {
            return value(name);
        }
    }
}
