// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of the bytes of an object: a field, what a class writes by itself, or a mark without bytes. Immutable. */
interface Slot {
    /** Returns what stands for it in a {@link Shape}. */
    int id();

    /** Returns what may stand for it in the shapes of other versions of its class. */
    default List<Integer> ids() {
        return List.of(id());
    }

    void write(Graph graph, ValueOutput output, Object owner);

    /** Reads it into an object, or into the components of a record. */
    void read(Graph graph, BoundedInput input, Object owner);

    /** A word that must be the same in the shape that is read. */
    record Mark(int id) implements Slot {
        @Override
        public void write(Graph graph, ValueOutput output, Object owner) {}

        @Override
        public void read(Graph graph, BoundedInput input, Object owner) {}
    }

    /** A field that the class does not have any more, or not yet. */
    record Skipped(int id, FieldKind kind) implements Slot {
        @Override
        public void write(Graph graph, ValueOutput output, Object owner) {
            throw new UnsupportedOperationException("what is skipped has no value");
        }

        @Override
        public void read(Graph graph, BoundedInput input, Object owner) {
            graph.skip(input, kind);
        }
    }

    /** A component of a record. */
    record Component(FieldAccess field, int position) implements Slot {
        @Override
        public int id() {
            return field.id();
        }

        @Override
        public void write(Graph graph, ValueOutput output, Object owner) {
            field.write(graph, output, owner);
        }

        @Override
        public void read(Graph graph, BoundedInput input, Object components) {
            ((@Nullable Object[]) components)[position] = field.kind().read(graph, input);
        }
    }
}
