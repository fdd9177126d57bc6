// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.cache.GroupKey;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * One component of a record, or one field of a class. The fields of records are read too, not their accessors: a
 * record's {@code equals} compares the fields.
 */
record FieldComponent(Field field) implements Component {
    FieldComponent {
        field.setAccessible(true);
    }

    @Override
    public boolean isGroupKey() {
        return field.isAnnotationPresent(GroupKey.class);
    }

    @Override
    public @Nullable KeyForm only() {
        return KeyForms.only(field.getType());
    }

    @Override
    public @Nullable Object get(Object owner) {
        try {
            return field.get(owner);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("Field " + field.getName() + " was made accessible", e);
        }
    }

    void set(Object owner, @Nullable Object value) {
        checkPresent(value);
        try {
            field.set(owner, value);
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException("its field " + field.getName() + " cannot be set; use a record", e);
        }
    }

    /** Refuses null for a primitive, which reflection reports in several ways. */
    void checkPresent(@Nullable Object value) {
        if (value == null && field.getType().isPrimitive()) {
            throw new IllegalArgumentException("its component " + field.getName() + " is missing");
        }
    }
}
