// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.allow.KnownClasses;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls {@code writeReplace} of classes that have it. Safe for use by several threads. */
final class Replacements {
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

    @Nullable
    Object replacementOf(Object object) {
        return methods.get(object.getClass())
                .map(method -> Reflection.invoke(method, object))
                .orElse(null);
    }
}
