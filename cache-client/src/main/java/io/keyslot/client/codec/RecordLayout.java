// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The components of a record, in the order of its header, and its canonical constructor. */
record RecordLayout(
        List<Method> accessors,
        List<PrimitiveKind> kinds,
        Constructor<?> constructor,
        @Nullable Method readResolve,
        int fingerprint) {
    RecordLayout {
        accessors = List.copyOf(accessors);
        kinds = List.copyOf(kinds);
    }

    static RecordLayout of(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Fingerprint fingerprint = Fingerprint.start("record");
        List<Method> accessors = new ArrayList<>();
        List<PrimitiveKind> kinds = new ArrayList<>();
        for (RecordComponent component : components) {
            fingerprint.add(component.getName(), component.getType());
            accessors.add(Reflection.open(component.getAccessor()));
            kinds.add(PrimitiveKind.of(component.getType()));
        }
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        return new RecordLayout(
                accessors,
                kinds,
                canonicalConstructor(type, types),
                SerialMethods.readResolve(type),
                fingerprint.value());
    }

    private static Constructor<?> canonicalConstructor(Class<?> type, Class<?>[] components) {
        try {
            return Reflection.open(type.getDeclaredConstructor(components));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type.getName() + " has no canonical constructor", e);
        }
    }
}
