// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

/** Enum constants by name: constants may be added and reordered; one that was renamed or removed is not found. */
@SuppressWarnings({"rawtypes", "unchecked"}) // The type of an enum read from bytes cannot be expressed.
final class EnumSerializer extends ValueSerializer<Enum> {
    private final Class type;

    EnumSerializer(Class<?> type) {
        this.type = type;
    }

    @Override
    void write(Graph graph, ValueOutput output, Enum constant) {
        output.writeText(constant.name());
    }

    @Override
    Enum read(Graph graph, BoundedInput input) {
        return Enum.valueOf(type, input.readText());
    }
}
