// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One field of a class or component of a record, read and written by reflection, which checks types: a forged value
 * cannot put an object into a field of another type.
 *
 * @param id identifies its name, or its name and class if several classes of the object have a field of this name
 * @param kind its encoding
 * @param field null for a field that the class does not have: it is skipped
 * @param position of the component of a record; negative for the field of an object
 */
record FieldAccess(int id, FieldKind kind, @Nullable Field field, int position) {
    private static final int NONE = -1;

    static FieldAccess of(Field field, boolean isNameTaken) {
        FieldKind kind = FieldKind.of(field.getType());
        String name = isNameTaken ? qualified(field) : field.getName();
        return new FieldAccess(Shape.id(name, kind), kind, open(field), NONE);
    }

    static FieldAccess ofComponent(Field field, int position) {
        FieldKind kind = FieldKind.of(field.getType());
        return new FieldAccess(Shape.id(field.getName(), kind), kind, open(field), position);
    }

    static FieldAccess skipped(int id) {
        return new FieldAccess(id, Shape.kindOf(id), null, NONE);
    }

    private static Field open(Field field) {
        if (JdkContainers.OBSOLETE.contains(field.getType())) {
            throw ClassRefusal.of(
                    Types.CODEC,
                    field.getDeclaringClass(),
                    "has the field %s of type %s, which is stored as another class: declare it as List, Set or Map"
                            .formatted(field.getName(), field.getType().getName()));
        }
        return Reflection.open(field);
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

    String fullName() {
        return qualified(Objects.requireNonNull(field));
    }

    /** With and without its class, as another class may have gained or lost a field of the same name. */
    List<Integer> ids() {
        Field known = Objects.requireNonNull(field);
        return position >= 0 ? List.of(id) : List.of(Shape.id(known.getName(), kind), Shape.id(qualified(known), kind));
    }

    void write(Graph graph, ValueOutput output, Object owner) {
        kind.write(graph, output, Objects.requireNonNull(field), owner);
    }

    void read(Graph graph, BoundedInput input, Object owner) {
        if (field == null) {
            graph.skip(input, kind);
        } else if (position >= 0) {
            ((@Nullable Object[]) owner)[position] = kind.read(graph, input);
        } else {
            kind.read(graph, input, field, owner);
        }
    }
}
