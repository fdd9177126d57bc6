// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.io.Output;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A Kryo with our types only, which writes or reads one value after the other. Not thread-safe. Do not use it again
 * after an exception, which leaves it in an unknown state.
 */
final class Graph extends Kryo {
    /** The maximum nesting of a value: enough for data, and far from overflowing the stack. */
    static final int MAX_DEPTH = 64;

    /** The first byte of a value, for version 2 of the format. Version 1 began with a tag, which is positive. */
    static final byte FORMAT = (byte) 0x82;

    /** Larger buffers are not kept for the next value. */
    private static final int MAX_KEPT_BYTES = 64 * 1024;

    private static final int INITIAL_BYTES = 512;

    private final Types types;
    private final References references;
    private final IdentityHashMap<Object, Object> replaced = new IdentityHashMap<>();
    private final BoundedInput input = new BoundedInput();
    private ValueOutput output = new ValueOutput(INITIAL_BYTES);

    private Graph(Types types, References references, TypeTags tags) {
        super(tags, references);
        this.types = types;
        this.references = references;
        setMaxDepth(MAX_DEPTH);
        setOptimizedGenerics(false);
        tags.open();
    }

    static Graph create(Types types) {
        References references = new References(types);
        return new Graph(types, references, new TypeTags(types, references));
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
        return bytes;
    }

    /** Reads a whole value from bytes of the array, which are neither changed nor kept. */
    Object fromBytes(byte[] bytes, int offset, int length) {
        input.take(bytes, offset, length);
        if (input.readByte() != FORMAT) {
            throw new KryoException("The bytes are of another version of the format");
        }
        Object value = readValue(input);
        if (value == null || !input.atEnd()) {
            throw new KryoException("The bytes do not end where the value does");
        }
        input.release();
        return value;
    }

    void writeValue(ValueOutput to, @Nullable Object value) {
        if (value == null || !tryLeaf(to, value)) {
            writeClassAndObject(to, value);
        }
    }

    /** Writes most parts of most values. Kryo would write the same, but search for references first. */
    private boolean tryLeaf(ValueOutput to, Object value) {
        GraphType type = getDepth() == MAX_DEPTH ? null : JdkTypes.of(value.getClass());
        if (type == null || !type.isLeaf()) {
            return false;
        }
        // Tags of numbered types have one byte.
        to.writeByte(TypeTags.FIRST_NUMBERED + type.getId());
        type.write(this, to, value);
        return true;
    }

    @Nullable
    Object readValue(BoundedInput from) {
        GraphType leaf = getDepth() == MAX_DEPTH ? null : JdkTypes.leafOrNull(from.peek() - TypeTags.FIRST_NUMBERED);
        if (leaf == null) {
            return readClassAndObject(from);
        }
        from.skip(1);
        return leaf.read(this, from);
    }

    void skip(BoundedInput from, FieldKind kind) {
        int first = references.beginSkipped();
        kind.read(this, from);
        references.endSkipped(first);
    }

    /** Writes the result of the object's {@code writeReplace}, if it has one. */
    @Override
    public void writeClassAndObject(Output to, @Nullable Object object) {
        Object written = object == null || !types.isReplaced(object.getClass())
                ? object
                : replaced.computeIfAbsent(object, types::replacementOf);
        super.writeClassAndObject(to, written);
    }

    @Override
    public void reset() {
        super.reset();
        if (!replaced.isEmpty()) {
            replaced.clear();
        }
    }
}
