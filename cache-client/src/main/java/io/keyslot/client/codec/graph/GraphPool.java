// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.allow.AllowedClasses;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
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
    private final Supplier<Graph> factory;

    GraphPool(Supplier<Graph> factory) {
        this.factory = factory;
    }

    /** Returns a pool of graphs of the allowed classes, which are loaded by the loader. */
    public static GraphPool of(AllowedClasses allowed, ClassLoader loader) {
        Types types = new Types(allowed, loader);
        Replacements replacements = new Replacements();
        return new GraphPool(() -> Graph.create(types, replacements));
    }

    /** Returns the bytes of a value behind so many zeros. */
    public byte[] toBytes(Object value, int gapBytes) {
        Graph graph = take();
        byte[] bytes = graph.toBytes(value, gapBytes);
        giveBack(graph);
        return bytes;
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
        return factory.get();
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
