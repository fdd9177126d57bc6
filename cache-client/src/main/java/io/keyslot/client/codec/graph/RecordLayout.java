// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The components of a record, in the order of its header, and its canonical constructor. */
record RecordLayout(
        List<FieldAccess> components,
        Constructor<?> constructor,
        @Nullable Method readResolve,
        int fingerprint) {
    RecordLayout {
        components = List.copyOf(components);
    }

    static RecordLayout of(Class<?> type) {
        RecordComponent[] header = type.getRecordComponents();
        Class<?>[] types = Arrays.stream(header).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Fingerprint fingerprint = Fingerprint.start("record");
        List<FieldAccess> components = new ArrayList<>();
        try {
            for (RecordComponent component : header) {
                fingerprint.add(component.getName(), component.getType());
                // The field, as an accessor may return something else.
                components.add(new FieldAccess(type.getDeclaredField(component.getName())));
            }
            Constructor<?> constructor = Reflection.open(type.getDeclaredConstructor(types));
            return new RecordLayout(components, constructor, SerialMethods.readResolve(type), fingerprint.value());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getName() + " is not what the language calls a record", e);
        }
    }
}
