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
 */
final class FieldAccess {
    private final Field field;
    private final PrimitiveKind kind;

    FieldAccess(Field field) {
        this.field = Reflection.open(field);
        this.kind = PrimitiveKind.of(field.getType());
    }

    /** Returns the fields that a class itself declares, without static and transient ones, by name. */
    static List<FieldAccess> declaredBy(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(FieldAccess::isState)
                .sorted(Comparator.comparing(Field::getName))
                .map(FieldAccess::new)
                .toList();
    }

    /** Returns whether the field is part of an object's value; the reference to an outer object is. */
    static boolean isState(Field field) {
        return (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0;
    }

    String name() {
        return field.getName();
    }

    Class<?> type() {
        return field.getType();
    }

    void write(Graph graph, ValueOutput output, Object owner) {
        try {
            kind.write(graph, output, field, owner);
        } catch (IllegalAccessException e) {
            throw Reflection.failed(field, e);
        }
    }

    void read(Graph graph, BoundedInput input, Object owner) {
        try {
            kind.read(graph, input, field, owner);
        } catch (IllegalAccessException e) {
            throw Reflection.failed(field, e);
        }
    }

    @Nullable
    Object readValue(Graph graph, BoundedInput input) {
        return kind.read(graph, input);
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
