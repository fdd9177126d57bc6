// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.cache.failure.CodecException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes or reads one value after the other: in front of each object a tag, which identifies its class, and a mark
 * whether it occurred before; {@code docs/contributing/kryo-format.md} has the format. The first object of a class has
 * its name and shape, further ones a number. A name is looked up in the allow list before its class is loaded. Not
 * thread-safe. Do not use it again after an exception, which leaves it in an unknown state.
 */
final class Graph {
    /** The maximum nesting of a value: enough for data, and far from overflowing the stack. */
    static final int MAX_DEPTH = 64;

    /** The first byte of a value, for version 2 of the format. Version 1 began with a tag, which is positive. */
    static final byte FORMAT = (byte) 0x82;

    /** Larger buffers are not kept for the next value. */
    private static final int MAX_KEPT_BYTES = 64 * 1024;

    private static final int INITIAL_BYTES = 512;

    private static final int NULL = 0;
    private static final int NEW_NAME = 1;
    private static final int FIRST_NUMBERED = 2;
    private static final int FIRST_KNOWN_NAME = FIRST_NUMBERED + JdkTypes.MAX_TYPES;

    private static final int NEW_OBJECT = 1;
    private static final int FIRST_REFERENCE = 2;

    private final Types types;
    private final References references;
    private final IdentityHashMap<Object, Object> replaced = new IdentityHashMap<>();
    private final IdentityHashMap<GraphType, Integer> writtenTypes = new IdentityHashMap<>();
    private final List<GraphType> readTypes = new ArrayList<>();
    private final BoundedInput input = new BoundedInput();
    private ValueOutput output = new ValueOutput(INITIAL_BYTES);
    private int depth;

    Graph(Types types) {
        this.types = types;
        this.references = new References(types);
    }

    Types types() {
        return types;
    }

    References references() {
        return references;
    }

    /** Returns the bytes of a whole value, behind {@code gapBytes} zeros. */
    byte[] toBytes(Object value, int gapBytes) {
        for (int i = 0; i < gapBytes; i++) {
            output.writeByte(0);
        }
        output.writeByte(FORMAT);
        writeValue(output, value);
        byte[] bytes = output.toBytes();
        if (output.getBuffer().length > MAX_KEPT_BYTES) {
            output = new ValueOutput(INITIAL_BYTES);
        } else {
            output.reset();
        }
        // Clearing an IdentityHashMap visits its whole table, even if it is empty.
        if (!writtenTypes.isEmpty()) {
            writtenTypes.clear();
        }
        if (!replaced.isEmpty()) {
            replaced.clear();
        }
        references.reset();
        return bytes;
    }

    /** Reads a whole value from bytes of the array, which are neither changed nor kept. */
    Object fromBytes(byte[] bytes, int offset, int length) {
        Object value = read(bytes, offset, length);
        input.release();
        readTypes.clear();
        references.reset();
        return value;
    }

    /** As {@link #fromBytes}, and leaves the types that were read. */
    Object read(byte[] bytes, int offset, int length) {
        input.take(bytes, offset, length);
        if (input.readByte() != FORMAT) {
            throw new KryoException("The bytes are of another version of the format");
        }
        Object value = readValue(input);
        if (value == null || !input.atEnd()) {
            throw new KryoException("The bytes do not end where the value does");
        }
        return value;
    }

    /** Returns the types that the value names, in the order of their first objects. */
    List<GraphType> readTypes() {
        return readTypes;
    }

    /** Writes a part of the value, or the result of its {@code writeReplace}, if it has one. */
    void writeValue(ValueOutput to, @Nullable Object value) {
        GraphType type = value == null ? null : JdkTypes.of(value.getClass());
        if (value == null) {
            to.writeByte(NULL);
        } else if (type != null && type.isLeaf()) {
            to.writeByte(FIRST_NUMBERED + type.number());
            type.serializer().write(this, to, value);
        } else {
            boolean isReplaced = type == null && types.isReplaced(value.getClass());
            writeObject(to, isReplaced ? replaced.computeIfAbsent(value, types::replacementOf) : value);
        }
    }

    private void writeObject(ValueOutput to, @Nullable Object object) {
        if (object == null) {
            to.writeByte(NULL);
            return;
        }
        if (depth == MAX_DEPTH) {
            throw new CodecException("Codec kryo: the value is nested deeper than %d levels".formatted(MAX_DEPTH));
        }
        depth++;
        GraphType type = types.of(object.getClass());
        writeType(to, type);
        int known = type.isReferable() ? references.writtenId(object) : References.NONE;
        if (known != References.NONE) {
            to.writeVarInt(FIRST_REFERENCE + known, true);
        } else {
            if (type.isReferable()) {
                references.addWritten(object);
                to.writeByte(NEW_OBJECT);
            }
            type.serializer().write(this, to, object);
        }
        depth--;
    }

    void writeType(ValueOutput to, GraphType type) {
        if (type.number() != GraphType.BY_NAME) {
            to.writeByte(FIRST_NUMBERED + type.number());
            return;
        }
        Integer known = writtenTypes.putIfAbsent(type, writtenTypes.size());
        if (known != null) {
            to.writeVarInt(FIRST_KNOWN_NAME + known, true);
        } else {
            to.writeByte(NEW_NAME);
            to.writeBytes(type.declaration());
        }
    }

    @Nullable
    Object readValue(BoundedInput from) {
        GraphType leaf = JdkTypes.leafOrNull(from.peek() - FIRST_NUMBERED);
        if (leaf != null) {
            from.skip(1);
            return leaf.serializer().read(this, from, References.NONE);
        }
        GraphType type = readType(from);
        if (type == null) {
            return null;
        }
        if (depth == MAX_DEPTH) {
            throw new KryoException("The value is nested too deeply");
        }
        depth++;
        Object value = type.isReferable()
                ? readReferable(type, from)
                : type.serializer().read(this, from, References.NONE);
        depth--;
        return value;
    }

    private @Nullable Object readReferable(GraphType type, BoundedInput from) {
        int mark = from.readVarInt(true);
        if (mark != NEW_OBJECT) {
            return references.read(mark - FIRST_REFERENCE);
        }
        int id = references.addRead();
        Object value = type.serializer().read(this, from, id);
        references.setRead(id, value); // of a readResolve, or of an object that is built last
        return value;
    }

    /** Reads a tag, and the declaration that may follow; returns null for the tag of null. */
    @Nullable
    GraphType readType(BoundedInput from) {
        int tag = from.readVarInt(true);
        if (tag == NULL) {
            return null;
        }
        if (tag >= FIRST_NUMBERED && tag < FIRST_KNOWN_NAME) {
            return JdkTypes.numbered(tag - FIRST_NUMBERED);
        }
        if (tag == NEW_NAME) {
            GraphType recent = from.readRecent(types.recent());
            readTypes.add(recent == null ? readDeclaration(from) : recent);
        }
        int index = tag == NEW_NAME ? readTypes.size() - 1 : tag - FIRST_KNOWN_NAME;
        if (index < 0 || index >= readTypes.size()) {
            throw new KryoException("A tag stands for no class");
        }
        GraphType type = readTypes.get(index);
        RuntimeException failure = type.failure();
        // An unknown class is harmless within a skipped field.
        if (failure != null && !references.isSkipping()) {
            throw failure;
        }
        return type;
    }

    private GraphType readDeclaration(BoundedInput from) {
        String name = from.readName();
        Shape shape = Shape.read(from);
        try {
            GraphType type = types.named(name, shape);
            types.recent().add(type);
            return type;
        } catch (CodecException | KryoException e) {
            references.addUnknown();
            return GraphType.unknown(name, shape, e);
        }
    }

    void skip(BoundedInput from, FieldKind kind) {
        int first = references.beginSkipped();
        kind.read(this, from);
        references.endSkipped(first);
    }
}
