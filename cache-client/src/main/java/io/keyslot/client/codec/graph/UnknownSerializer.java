// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.graph.Shape.Form;

/** Skips objects of an unknown or refused class, within a field that is skipped, without loading the class. */
final class UnknownSerializer extends ValueSerializer<Object> {
    private final Shape shape;
    private final RuntimeException failure;

    UnknownSerializer(Shape shape, RuntimeException failure) {
        this.shape = shape;
        this.failure = failure;
    }

    RuntimeException failure() {
        return failure;
    }

    @Override
    void write(Graph graph, ValueOutput output, Object value) {
        throw failure;
    }

    @Override
    Object read(Graph graph, BoundedInput input) {
        if (shape.form() == Form.ENUM) {
            return input.readString();
        }
        graph.reference(References.UNREAD);
        for (int id : shape.ids()) {
            Shape.kindOf(id).read(graph, input);
        }
        if (shape.form() != Form.FIELDS) {
            int size = input.readLength(1) * (shape.form() == Form.MAP ? 2 : 1);
            for (int i = 0; i < size; i++) {
                graph.readValue(input);
            }
        }
        return References.UNREAD;
    }
}
