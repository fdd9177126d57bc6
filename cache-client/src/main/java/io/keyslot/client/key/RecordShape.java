// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The components of a record, in the order of their declaration. Built by the canonical constructor. */
record RecordShape(Constructor<?> constructor, List<FieldComponent> fields) implements KeyShape {
    static RecordShape of(Class<?> type) {
        RecordComponent[] declared = type.getRecordComponents();
        Class<?>[] types = Arrays.stream(declared).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return new RecordShape(
                    constructor,
                    Arrays.stream(declared)
                            .map(component -> component(type, component))
                            .toList());
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("Record " + type.getName() + " has no canonical constructor", e);
        }
    }

    private static FieldComponent component(Class<?> type, RecordComponent component) {
        try {
            return new FieldComponent(type.getDeclaredField(component.getName()));
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("Record %s has no field %s".formatted(type.getName(), component), e);
        }
    }

    @Override
    public List<Component> components() {
        return List.copyOf(fields);
    }

    @Override
    public Object build(@Nullable Object[] values) {
        for (int i = 0; i < values.length; i++) {
            fields.get(i).checkPresent(values[i]);
        }
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw KeyRefusals.refused(constructor, e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Constructor was made accessible: " + constructor, e);
        }
    }

    @Override
    public boolean hasHiddenState() {
        return false;
    }
}
