// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.failure.CodecException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates the exceptions with which codecs refuse classes. */
final class ClassRefusal {
    private ClassRefusal() {}

    static CodecException notAllowed(String codec, String className) {
        return notAllowed(codec, Set.of(className));
    }

    /** Refuses classes, with the line to add to the configuration. */
    static CodecException notAllowed(String codec, Set<String> classNames) {
        boolean isOne = classNames.size() == 1;
        return new CodecException(
                "Codec %s: %s %s not allowed. If %s to your values, add %s to the configuration: codec.allow: [ \"%s\" ]"
                        .formatted(
                                codec,
                                (isOne ? "class " : "classes ") + String.join(", ", classNames),
                                isOne ? "is" : "are",
                                isOne ? "it belongs" : "they belong",
                                isOne ? "it" : "them",
                                String.join("\", \"", classNames)));
    }

    /** Refuses a class if the loader finds no class, or another one, by its name. */
    static CodecException notSeen(String codec, Class<?> type, ClassLoader loader) {
        return new CodecException(
                "Codec %s: class %s, of %s, is not seen by %s, the class loader of the cache manager: the value could not be read again. Get the manager with the loader of your classes: getCacheManager(uri, loader)"
                        .formatted(codec, type.getName(), nameOf(type.getClassLoader()), nameOf(loader)));
    }

    private static String nameOf(@Nullable ClassLoader loader) {
        if (loader == null) {
            return "the JDK";
        }
        return loader.getName() == null
                ? loader.getClass().getName()
                : "%s '%s'".formatted(loader.getClass().getName(), loader.getName());
    }

    static CodecException of(String codec, Class<?> type, String reason) {
        return of(codec, type, reason, null);
    }

    static CodecException of(String codec, Class<?> type, String reason, @Nullable Throwable cause) {
        return new CodecException("Codec %s: %s %s".formatted(codec, type.getName(), reason), cause);
    }
}
