// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

/** Serializes objects that consist of fields, which may differ between versions of their class. */
abstract class FieldsSerializer extends ValueSerializer<Object> {
    private final Slots slots;
    private final FieldAccess[] order;

    FieldsSerializer(Slots slots, FieldAccess[] order) {
        this.slots = slots;
        this.order = order;
    }

    Slots slots() {
        return slots;
    }

    /** Returns a serializer that reads values with the fields in another order. */
    abstract FieldsSerializer reading(FieldAccess[] otherOrder);

    final void writeParts(Graph graph, ValueOutput output, Object object) {
        for (FieldAccess slot : order) {
            slot.write(graph, output, object);
        }
    }

    final void readParts(Graph graph, BoundedInput input, Object into) {
        for (FieldAccess slot : order) {
            slot.read(graph, input, into);
        }
    }
}
