// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.graph.AllowedClasses;
import io.keyslot.client.codec.graph.ClassRefusal;
import io.keyslot.client.codec.graph.GraphPool;
import java.util.Objects;

/**
 * The default codec: values of any allowed class, as graphs of objects. {@code docs/contributing/kryo-format.md} has the format.
 *
 * <ul>
 *   <li>The bytes are the same in every process: nothing depends on identity, time, or the order of registration.
 *   <li>Keeps shared references and cycles, except in keys of hash tables, and not through records.
 *   <li>The given loader loads a class, after its name was found in the allow list.
 *   <li>A class may have changed since a value was written: new fields have their default, removed ones are skipped.
 *   <li>Decoding allocates memory in proportion to the bytes, whatever their content; no input causes an {@link Error}.
 * </ul>
 *
 * <p>Safe for use by several threads.
 */
public record KryoCodec(GraphPool graphs) implements ArrayCodec<Object> {

    public static KryoCodec create(AllowedClasses allowed, ClassLoader loader) {
        return new KryoCodec(GraphPool.of(allowed, loader, false));
    }

    /** Creates a codec of keys: equal keys have the same bytes, whatever objects they share, or are refused. */
    static KryoCodec ofKeys(AllowedClasses allowed, ClassLoader loader) {
        return new KryoCodec(GraphPool.of(allowed, loader, true));
    }

    @Override
    public String name() {
        return GraphPool.CODEC;
    }

    @Override
    public byte[] encode(Object value, int gapBytes) {
        Objects.requireNonNull(value, "value");
        try {
            return graphs.toBytes(value, gapBytes);
        } catch (CodecException e) {
            throw graphs.refusalOf(value, e);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            throw ClassRefusal.of(GraphPool.CODEC, value.getClass(), "could not be encoded", e);
        }
    }

    /**
     * Throws {@code CodecException} if the bytes name a class that is not allowed.
     * @throws IllegalArgumentException if they are not a value, or one of another version of its class
     */
    @Override
    public Object decode(byte[] bytes, int offset, int length) {
        try {
            return graphs.fromBytes(bytes, offset, length);
        } catch (CodecException e) {
            throw e;
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            // A hash code or constructor of the application can overflow the stack, or fail to initialize its class.
            throw new IllegalArgumentException(
                    "Codec %s: the bytes are not a value, or not of this version of its class".formatted(name()), e);
        }
    }
}
