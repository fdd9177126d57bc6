// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.io.Output;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A Kryo with our types only, that writes or reads one value after the other.
 *
 * <p>For one thread at a time. After an exception its state is unknown: it must not be used again.
 */
final class Graph extends Kryo {
    /** How deep a value may be nested; enough for data, and far from the end of any stack. */
    static final int MAX_DEPTH = 64;

    /** A larger buffer is not kept for the next value. */
    private static final int MAX_KEPT_BYTES = 64 * 1024;

    private static final int INITIAL_BYTES = 512;

    private final References references;
    private final Replacements replacements;
    private final IdentityHashMap<Object, Object> replaced = new IdentityHashMap<>();
    private Output output = new Output(INITIAL_BYTES, -1);

    private Graph(TypeTags tags, References references, Replacements replacements) {
        super(tags, references);
        this.references = references;
        this.replacements = replacements;
        setMaxDepth(MAX_DEPTH);
        setOptimizedGenerics(false);
        tags.open();
    }

    static Graph create(Types types, Replacements replacements) {
        return new Graph(new TypeTags(types), new References(types), replacements);
    }

    References references() {
        return references;
    }

    /** Returns the bytes of a whole value. */
    byte[] toBytes(Object value) {
        writeClassAndObject(output, value);
        byte[] bytes = output.toBytes();
        if (output.getBuffer().length > MAX_KEPT_BYTES) {
            output = new Output(INITIAL_BYTES, -1);
        } else {
            output.reset();
        }
        return bytes;
    }

    /** Writes a part of a value. */
    void writeValue(Output to, @Nullable Object value) {
        writeClassAndObject(to, value);
    }

    /** Reads a part of a value. */
    @Nullable
    Object readValue(BoundedInput from) {
        return readClassAndObject(from);
    }

    /** Writes what the object's {@code writeReplace} returns instead of it, if there is one. */
    @Override
    public void writeClassAndObject(Output to, @Nullable Object object) {
        Object written = object == null || !replacements.hasReplacement(object.getClass())
                ? object
                : replaced.computeIfAbsent(object, replacements::replacementOf);
        super.writeClassAndObject(to, written);
    }

    @Override
    public void reset() {
        super.reset();
        replaced.clear();
    }
}
