// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The collections and arrays of the JDK. A class of the application that is a list, a set or a map has their forms. */
final class CompositeForms {
    private static final CompositeForm LIST = new ListForm();
    private static final CompositeForm SET = new SetForm();
    private static final CompositeForm MAP = new MapForm();
    private static final CompositeForm OPTIONAL = new OptionalForm();
    private static final CompositeForm BYTES = new BytesForm();

    /** Of every array of objects, whatever it is declared as: {@code Arrays.equals} does not look at that either. */
    private static final CompositeForm OBJECTS = new ArrayForm(Object.class);

    private static final Map<String, CompositeForm> BY_NAME = byName();

    private CompositeForms() {}

    static @Nullable CompositeForm named(String name) {
        return BY_NAME.get(name);
    }

    static @Nullable CompositeForm of(Class<?> type) {
        if (List.class.isAssignableFrom(type)) {
            return LIST;
        }
        if (Set.class.isAssignableFrom(type)) {
            return SET;
        }
        if (Map.class.isAssignableFrom(type)) {
            return MAP;
        }
        if (type.isArray()) {
            return type.getComponentType().isPrimitive() ? BY_NAME.get(type.getSimpleName()) : OBJECTS;
        }
        return type == Optional.class ? OPTIONAL : null;
    }

    private static Map<String, CompositeForm> byName() {
        Map<String, CompositeForm> forms = new HashMap<>();
        List.of(LIST, SET, MAP, OPTIONAL, BYTES, OBJECTS).forEach(form -> forms.put(form.name(), form));
        List.of(long.class, int.class, short.class, char.class, boolean.class, double.class, float.class).stream()
                .map(ArrayForm::new)
                .forEach(form -> forms.put(form.name(), form));
        return Map.copyOf(forms);
    }
}
