// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.codec.allow.ClassRefusal;
import java.util.LinkedHashSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Graphs between two values. They are not bound to threads: an application may have more of those than it has
 * processors.
 *
 * <p>Each thread begins to look at a place of its own, as far as there are enough, so that threads rarely meet.
 *
 * <p>Safe for use by several threads, without locks.
 */
public final class GraphPool {
    /** How a value is called that these graphs write, in messages. */
    public static final String CODEC = Types.CODEC;

    /** How deep a value may be nested. */
    public static final int MAX_DEPTH = Graph.MAX_DEPTH;

    /** Idle graphs that are kept; more are made if more threads are at work at the same time. A power of two. */
    static final int MAX_IDLE = 32;

    private final AtomicReferenceArray<@Nullable Graph> idle = new AtomicReferenceArray<>(MAX_IDLE);
    private final Types types;
    private final Replacements replacements = new Replacements();

    GraphPool(Types types) {
        this.types = types;
    }

    /**
     * Returns a pool of graphs of the allowed classes, which are loaded by the loader.
     *
     * @param isOfKeys whether equal values must have the same bytes
     */
    public static GraphPool of(AllowedClasses allowed, ClassLoader loader, boolean isOfKeys) {
        return new GraphPool(new Types(allowed, loader, isOfKeys, null));
    }

    /** Returns the bytes of a value behind so many zeros. */
    public byte[] toBytes(Object value, int gapBytes) {
        Graph graph = take();
        byte[] bytes = graph.toBytes(value, gapBytes);
        giveBack(graph);
        return bytes;
    }

    /** Returns the refusal of a value with all its classes that are not allowed or cannot be written, not only the first. */
    public CodecException refusalOf(Object value, CodecException first) {
        Types.Found found = new Types.Found(new LinkedHashSet<>(), new LinkedHashSet<>());
        try {
            Graph.create(types.looking(found), replacements).toBytes(value, 0);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return first; // there is another reason
        }
        if (!found.notAllowed().isEmpty()) {
            found.problems()
                    .add(ClassRefusal.notAllowed(CODEC, found.notAllowed()).getMessage());
        }
        return found.problems().size() + found.notAllowed().size() <= 1
                ? first
                : new CodecException(String.join("; ", found.problems()));
    }

    /** Reads a value from these bytes of the array, which are neither changed nor kept. */
    public Object fromBytes(byte[] bytes, int offset, int length) {
        Graph graph = take();
        Object value = graph.fromBytes(bytes, offset, length);
        giveBack(graph);
        return value;
    }

    /** Returns a graph that nobody else has. */
    Graph take() {
        int first = ownPlace();
        for (int i = 0; i < MAX_IDLE; i++) {
            int place = (first + i) % MAX_IDLE;
            Graph graph = idle.getPlain(place) == null ? null : idle.getAndSet(place, null);
            if (graph != null) {
                return graph;
            }
        }
        return Graph.create(types, replacements);
    }

    /** Gives a graph back. One that has thrown is not: it is in an unknown state. */
    void giveBack(Graph graph) {
        int first = ownPlace();
        for (int i = 0; i < MAX_IDLE; i++) {
            int place = (first + i) % MAX_IDLE;
            if (idle.getPlain(place) == null && idle.compareAndSet(place, null, graph)) {
                return;
            }
        }
    }

    private static int ownPlace() {
        return (int) (Thread.currentThread().getId() % MAX_IDLE);
    }
}
