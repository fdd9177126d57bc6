// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.util.Pool;
import io.keyslot.cache.Codec;
import io.keyslot.cache.failure.CodecException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Values of any allowed class, as graphs of objects: the default codec. {@code docs/codecs.md} has the format.
 *
 * <ul>
 *   <li>The bytes are the same in every process: nothing depends on identity, time, or the order of registration.
 *   <li>Shared references and cycles come back as such, except in keys of hash tables, and not through records.
 *   <li>A class is loaded by the given loader, after its name was found in the allow list.
 *   <li>A value written when its class had other fields is not decoded.
 *   <li>What is allocated to decode is proportional to the bytes, whatever they say; no input makes an {@link Error}.
 * </ul>
 *
 * <p>Safe for use by several threads.
 */
public final class KryoCodec implements Codec<Object> {
    /** Idle instances that are kept; more are made if more threads are at work at the same time. */
    private static final int MAX_IDLE = 32;

    private final Pool<Graph> graphs;

    private KryoCodec(Types types) {
        Replacements replacements = new Replacements();
        this.graphs = new Pool<>(true, false, MAX_IDLE) {
            @Override
            protected Graph create() {
                return Graph.create(types, replacements);
            }
        };
    }

    /** Creates a codec for the allowed classes, which are loaded by the loader. */
    public static KryoCodec create(AllowedClasses allowed, ClassLoader loader) {
        return new KryoCodec(new Types(allowed, loader));
    }

    @Override
    public String name() {
        return Types.CODEC;
    }

    @Override
    public byte[] encode(Object value) {
        Objects.requireNonNull(value, "value");
        try {
            Graph graph = graphs.obtain();
            byte[] bytes = graph.toBytes(value);
            // Only here: an instance that has thrown is in an unknown state.
            graphs.free(graph);
            return bytes;
        } catch (CodecException e) {
            throw e;
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            throw Refusal.of(Types.CODEC, value.getClass(), reasonOf(e), e);
        }
    }

    /**
     * Reads a value.
     *
     * @throws CodecException if the bytes name a class that is not allowed
     * @throws IllegalArgumentException if they are not a value, or one of another version of its class
     */
    @Override
    public Object decode(ByteBuffer bytes) {
        try {
            BoundedInput input = new BoundedInput(BytesCodec.remainingOf(bytes));
            Graph graph = graphs.obtain();
            Object value = graph.readValue(input);
            if (value == null || !input.atEnd()) {
                throw new KryoException("The bytes do not end where the value does");
            }
            graphs.free(graph);
            return value;
        } catch (CodecException e) {
            throw e;
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            // A hash code or constructor of the application can overflow the stack, or fail to initialize its class.
            throw new IllegalArgumentException(
                    "Codec %s: the bytes are not a value, or not of this version of its class".formatted(name()), e);
        }
    }

    private static String reasonOf(Throwable failure) {
        return failure instanceof StackOverflowError || isTooDeep(failure)
                ? "is nested deeper than %d levels".formatted(Graph.MAX_DEPTH)
                : "could not be encoded";
    }

    /** Kryo says it in the message only. */
    private static boolean isTooDeep(Throwable failure) {
        return failure instanceof KryoException kryo
                && String.valueOf(kryo.getMessage()).startsWith("Max depth");
    }
}
