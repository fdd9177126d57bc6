// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.slot.KeyText;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Loads the classes that stored keys name, if they are allowed: by the configuration, or because the application itself
 * has used keys of them in this cache. So what it puts it also finds. Safe for use by several threads.
 */
final class KeyClasses {
    /** How many classes may be remembered as used; those of further ones must be allowed by the configuration. */
    private static final int MOST_USED = 1000;

    private final Class<?> declaredType;
    private final ClassLoader classLoader;
    private final Predicate<String> allowed;
    private final Set<String> used = ConcurrentHashMap.newKeySet();

    KeyClasses(Class<?> declaredType, ClassLoader classLoader, Predicate<String> allowed) {
        this.declaredType = declaredType;
        this.classLoader = classLoader;
        this.allowed = allowed;
    }

    /** Returns a loader for text that this process has just written itself. */
    KeyClasses allowingAll() {
        return new KeyClasses(declaredType, classLoader, name -> true);
    }

    /** Remembers that the application uses keys of this form. */
    void use(KeyForm form) {
        if (KeyForms.isOfOneClass(form) && used.size() < MOST_USED) {
            used.add(KeyForms.classNameOf(form.name()));
        }
    }

    /** Returns a class that the application must have allowed. It is not initialised, whether it is allowed or not. */
    Class<?> load(String name) {
        if (name.equals(declaredType.getName())) {
            return declaredType;
        }
        if (name.isEmpty() || name.startsWith("[")) {
            throw new IllegalArgumentException("it does not name a form that keys can have");
        }
        if (!allowed.test(name) && !used.contains(name)) {
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
