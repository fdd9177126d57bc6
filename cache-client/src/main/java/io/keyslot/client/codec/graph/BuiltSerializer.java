// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

/**
 * A serializer of objects that exist only after all they contain was read, such as records and {@code List.of}. A cycle
 * through them could not be read again, so it is refused when it is written.
 */
abstract class BuiltSerializer<T> extends ValueSerializer<T> {
    abstract void writeParts(Graph graph, ValueOutput output, T value);

    @Override
    final void write(Graph graph, ValueOutput output, T value) {
        int id = graph.references().beginBuilt();
        writeParts(graph, output, value);
        graph.references().endBuilt(id);
    }
}
