// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.cache.KeyText;
import java.util.function.Predicate;

/** Loads the classes that stored keys name, if they are allowed. */
final class KeyClasses {
    private final Class<?> declaredType;
    private final ClassLoader classLoader;
    private final Predicate<String> allowed;

    KeyClasses(Class<?> declaredType, ClassLoader classLoader, Predicate<String> allowed) {
        this.declaredType = declaredType;
        this.classLoader = classLoader;
        this.allowed = allowed;
    }

    /** Returns a loader for text that this process has just written itself. */
    KeyClasses allowingAll() {
        return new KeyClasses(declaredType, classLoader, name -> true);
    }

    /** Returns a class that the application must have allowed. It is not initialised, whether it is allowed or not. */
    Class<?> load(String name) {
        if (name.equals(declaredType.getName())) {
            return declaredType;
        }
        if (name.isEmpty() || name.startsWith("[")) {
            throw new IllegalArgumentException("it does not name a form that keys can have");
        }
        if (!allowed.test(name)) {
            throw new IllegalArgumentException(
                    "its class %s is not allowed; add it to codec.allow if it is trusted".formatted(printable(name)));
        }
        return loadKnown(name);
    }

    /** Returns a class that this package itself names. */
    Class<?> loadKnown(String name) {
        try {
            return Class.forName(name, false, classLoader);
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            // A name in the wrong case is a NoClassDefFoundError where file names have no case.
            throw new IllegalArgumentException(
                    "its class %s is not visible to the cache's class loader".formatted(printable(name)), e);
        }
    }

    /** Returns the name without control characters: whoever wrote the text may have meant it for a log. */
    private static String printable(String name) {
        return KeyText.escapeId(name);
    }
}
