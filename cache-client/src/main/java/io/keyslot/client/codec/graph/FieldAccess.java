// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One field of a class, read and written by reflection, which checks types: a forged value cannot put an object into a
 * field of another type.
 *
 * @param id stands for its name, or for its name and class if another class of the object has a field of this name
 */
record FieldAccess(int id, Field field, FieldKind kind) implements Slot {
    static FieldAccess of(Field field, boolean isNameTaken) {
        FieldKind kind = FieldKind.of(field.getType());
        String name = isNameTaken ? qualified(field) : field.getName();
        return new FieldAccess(Shape.id(name, kind), Reflection.open(field), kind);
    }

    private static String qualified(Field field) {
        return field.getDeclaringClass().getName() + '.' + field.getName();
    }

    /** Returns the fields that a class itself declares, without static and transient ones, by name. */
    static List<Field> declaredBy(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(FieldAccess::isState)
                .sorted(Comparator.comparing(Field::getName))
                .toList();
    }

    /** Returns whether the field is part of an object's value; the reference to an outer object is. */
    static boolean isState(Field field) {
        return (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0;
    }

    /** With and without its class, as a field of the same name may have come or gone in another one. */
    @Override
    public List<Integer> ids() {
        return List.of(Shape.id(field.getName(), kind), Shape.id(qualified(field), kind));
    }

    String name() {
        return field.getName();
    }

    @Override
    public void write(Graph graph, ValueOutput output, Object owner) {
        kind.write(graph, output, field, owner);
    }

    @Override
    public void read(Graph graph, BoundedInput input, Object owner) {
        kind.read(graph, input, field, owner);
    }

    @Nullable
    Object get(Object owner) {
        try {
            return field.get(owner);
        } catch (IllegalAccessException e) {
            throw Reflection.failed(field, e);
        }
    }

    /** Sets the field, or throws {@link IllegalArgumentException} if the value has the wrong type. */
    void set(Object owner, @Nullable Object value) {
        try {
            field.set(owner, value);
        } catch (IllegalAccessException e) {
            throw Reflection.failed(field, e);
        }
    }
}
