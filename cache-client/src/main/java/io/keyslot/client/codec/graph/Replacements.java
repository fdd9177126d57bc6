// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.allow.ClassRefusal;
import io.keyslot.client.codec.allow.KnownClasses;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The objects that classes with a {@code writeReplace} want to be written instead. Safe for use by several threads. */
final class Replacements {
    /** A replacement may have a replacement, but not without end. */
    private static final int MAX_STEPS = 8;

    private final ClassValue<Optional<Method>> methods = new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
            boolean ours = type.isHidden() || type.isArray() || KnownClasses.isJdk(type.getName());
            return ours ? Optional.empty() : Optional.ofNullable(SerialMethods.writeReplace(type));
        }
    };

    boolean hasReplacement(Class<?> type) {
        return JdkTypes.of(type) == null && methods.get(type).isPresent();
    }

    /** Returns what is to be written, by the rules of {@link java.io.Serializable}. */
    @Nullable
    Object replacementOf(Object object) {
        Object current = object;
        for (int i = 0; i < MAX_STEPS; i++) {
            Optional<Method> method = methods.get(current.getClass());
            if (method.isEmpty()) {
                return current;
            }
            Object next = Reflection.invoke(method.get(), current);
            if (next == null || next.getClass() == current.getClass()) {
                return next;
            }
            current = next;
        }
        throw ClassRefusal.of(Types.CODEC, object.getClass(), "is replaced again and again by its writeReplace");
    }
}
