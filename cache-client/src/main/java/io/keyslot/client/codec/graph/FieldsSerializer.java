// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

/** A serializer of objects that consist of parts, of which other versions of their class may have had others. */
abstract class FieldsSerializer extends ValueSerializer<Object> {
    private final Slots slots;
    private final FieldAccess[] order;

    /** Creates one that reads the parts in this order. */
    FieldsSerializer(Slots slots, FieldAccess[] order) {
        this.slots = slots;
        this.order = order;
    }

    Slots slots() {
        return slots;
    }

    /** Returns a serializer that reads what was written in the order of these parts. */
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
