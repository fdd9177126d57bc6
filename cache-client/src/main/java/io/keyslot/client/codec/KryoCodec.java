// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.concurrent.IdlePool;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
 * <p>Safe for use by several threads, without locks.
 */
final class KryoCodec implements ArrayCodec<Object> {
    static final String NAME = "kryo";

    private final IdlePool<Graph> idle = new IdlePool<>();
    private final Types types;

    private KryoCodec(Types types) {
        this.types = types;
    }

    static KryoCodec create(AllowedClasses allowed, ClassLoader loader) {
        return new KryoCodec(new Types(allowed, loader, false, null));
    }

    /** Creates a codec of keys: equal keys have the same bytes, whatever objects they share, or are refused. */
    static KryoCodec ofKeys(AllowedClasses allowed, ClassLoader loader) {
        return new KryoCodec(new Types(allowed, loader, true, null));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte[] encode(Object value, int gapBytes) {
        Objects.requireNonNull(value, "value");
        try {
            Graph graph = take();
            byte[] bytes = graph.toBytes(value, gapBytes);
            giveBack(graph);
            return bytes;
        } catch (CodecException e) {
            throw refusalOf(value, e);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            throw ClassRefusal.of(NAME, value.getClass(), "could not be encoded", e);
        }
    }

    /**
     * Throws {@code CodecException} if the bytes name a class that is not allowed.
     * @throws IllegalArgumentException if they are not a value, or one of another version of its class
     */
    @Override
    public Object decode(byte[] bytes, int offset, int length) {
        try {
            Graph graph = take();
            Object value = graph.fromBytes(bytes, offset, length);
            giveBack(graph);
            return value;
        } catch (CodecException e) {
            throw e;
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            // A hash code or constructor of the application can overflow the stack, or fail to initialize its class.
            throw new IllegalArgumentException(
                    "Codec %s: the bytes are not a value, or not of this version of its class".formatted(NAME), e);
        }
    }

    /** Reads a value only to tell how its classes differ from those that wrote it. */
    Inspection inspect(byte[] bytes, int offset, int length, String declared) {
        Graph graph = new Graph(types);
        String problem = null;
        String type = declared;
        try {
            type = graph.read(bytes, offset, length).getClass().getName();
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            problem = Inspection.problemOf(e);
        }
        List<GraphType> used = graph.readTypes();
        return new Inspection(
                problem == null || used.isEmpty() ? type : used.get(0).name(),
                used.stream().flatMap(GraphType::defaults).distinct().sorted().toList(),
                problem);
    }

    /** Returns the refusal of a value, naming all its classes that are not allowed or cannot be written. */
    private CodecException refusalOf(Object value, CodecException first) {
        Types.Found found = new Types.Found(new LinkedHashSet<>(), new LinkedHashSet<>());
        try {
            new Graph(types.looking(found)).toBytes(value, 0);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return first; // there is another reason
        }
        String problems = describe(found);
        return found.problems().size() + found.notAllowed().size() <= 1 ? first : new CodecException(problems);
    }

    /** Returns why objects of a declared type cannot be written, as far as its declaration tells; null if they can. */
    @Nullable
    String problemOf(Type declared) {
        Types.Found found = new Types.Found(new LinkedHashSet<>(), new LinkedHashSet<>());
        Types looking = types.looking(found);
        AllowedClasses.declaredIn(declared).stream()
                .filter(type -> type.isEnum() || !Modifier.isAbstract(type.getModifiers()))
                .forEach(looking::of);
        String problems = describe(found);
        return problems.isEmpty() ? null : problems;
    }

    private static String describe(Types.Found found) {
        if (!found.notAllowed().isEmpty()) {
            found.problems()
                    .add(ClassRefusal.notAllowed(NAME, found.notAllowed()).getMessage());
        }
        return String.join("; ", found.problems());
    }

    Graph take() {
        Graph graph = idle.take();
        return graph == null ? new Graph(types) : graph;
    }

    /** Keeps a graph for the next value; not after an exception, which leaves it in an unknown state. */
    void giveBack(Graph graph) {
        boolean unused = idle.giveBack(graph);
    }
}
