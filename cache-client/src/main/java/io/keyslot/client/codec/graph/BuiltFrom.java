// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An object that is built from a fixed number of others, such as an entry from its key and value. */
final class BuiltFrom<T> extends BuiltSerializer<T> {
    private final int count;
    private final Function<T, @Nullable Object[]> parts;
    private final Function<@Nullable Object[], T> builder;

    BuiltFrom(int count, Function<T, @Nullable Object[]> parts, Function<@Nullable Object[], T> builder) {
        this.count = count;
        this.parts = parts;
        this.builder = builder;
    }

    @Override
    void writeParts(Graph graph, ValueOutput output, T value) {
        for (Object part : parts.apply(value)) {
            graph.writeValue(output, part);
        }
    }

    @Override
    T read(Graph graph, BoundedInput input) {
        @Nullable Object[] read = new Object[count];
        for (int i = 0; i < count; i++) {
            read[i] = graph.readValue(input);
        }
        return builder.apply(read);
    }
}
