// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.cache.failure.CodecException;
import java.util.LinkedHashSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A pool of idle graphs. They are not bound to threads, because an application may have more threads than processors.
 * Threads start their search at different places. Safe for use by several threads, without locks.
 */
public final class GraphPool {
    public static final String CODEC = Types.CODEC;

    /** The maximum number of idle graphs. A power of two. */
    static final int MAX_IDLE = 32;

    private final AtomicReferenceArray<@Nullable Graph> idle = new AtomicReferenceArray<>(MAX_IDLE);
    private final Types types;

    GraphPool(Types types) {
        this.types = types;
    }

    public static GraphPool of(AllowedClasses allowed, ClassLoader loader, boolean isOfKeys) {
        return new GraphPool(new Types(allowed, loader, isOfKeys, null));
    }

    public byte[] toBytes(Object value, int gapBytes) {
        Graph graph = take();
        byte[] bytes = graph.toBytes(value, gapBytes);
        giveBack(graph);
        return bytes;
    }

    /** Returns the refusal of a value, naming all its classes that are not allowed or cannot be written. */
    public CodecException refusalOf(Object value, CodecException first) {
        Types.Found found = new Types.Found(new LinkedHashSet<>(), new LinkedHashSet<>());
        try {
            new Graph(types.looking(found)).toBytes(value, 0);
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

    public Object fromBytes(byte[] bytes, int offset, int length) {
        Graph graph = take();
        Object value = graph.fromBytes(bytes, offset, length);
        giveBack(graph);
        return value;
    }

    Graph take() {
        int first = ownPlace();
        for (int i = 0; i < MAX_IDLE; i++) {
            int place = (first + i) % MAX_IDLE;
            Graph graph = idle.getPlain(place) == null ? null : idle.getAndSet(place, null);
            if (graph != null) {
                return graph;
            }
        }
        return new Graph(types);
    }

    /** Returns a graph to the pool; not after an exception, which leaves it in an unknown state. */
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
