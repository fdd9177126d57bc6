// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of an object that belongs to one class with a {@code readObject} of its own. Its fields are written by name. */
record CustomLayer(
        int id,
        Class<?> type,
        List<FieldAccess> fields,
        @Nullable Method writeObject,
        Method readObject) implements Slot {
    /** Returns the part that belongs to the class, or null if it has no {@code readObject}. */
    static @Nullable CustomLayer of(Class<?> type) {
        Method readObject = SerialMethods.readObject(type);
        if (readObject == null) {
            // Java serialization then drops what a writeObject writes besides the fields.
            return null;
        }
        List<FieldAccess> fields = FieldAccess.declaredBy(type).stream()
                .map(field -> FieldAccess.of(field, false))
                .toList();
        int id = Shape.id(type.getName(), Shape.CUSTOM);
        return new CustomLayer(id, type, fields, SerialMethods.writeObject(type), readObject);
    }

    @Override
    public void write(Graph graph, ValueOutput output, Object owner) {
        CustomOutput.write(graph, output, this, owner);
    }

    @Override
    public void read(Graph graph, BoundedInput input, Object owner) {
        CustomInput.read(graph, input, this, owner);
    }
}
