// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.util.function.BiConsumer;
import java.util.function.Function;

/** A serializer of a value that contains no other objects. */
final class Leaf<T> extends ValueSerializer<T> {
    private final BiConsumer<ValueOutput, T> writer;
    private final Function<BoundedInput, T> reader;

    Leaf(BiConsumer<ValueOutput, T> writer, Function<BoundedInput, T> reader) {
        this.writer = writer;
        this.reader = reader;
    }

    @Override
    void write(Graph graph, ValueOutput output, T value) {
        writer.accept(output, value);
    }

    @Override
    T read(Graph graph, BoundedInput input) {
        return reader.apply(input);
    }
}
