// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import org.jspecify.annotations.Nullable;

/**
 * Checks that the reader's class loader finds a class by its name; in an application server, it may belong to another
 * deployment. Remembers successes; a missing class may be installed later. Safe for use by several threads.
 */
final class SeenClasses {
    private final String codec;
    private final ClassLoader loader;

    /** A ClassValue keeps no class longer than its loader does. */
    private final ClassValue<Boolean> seen = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            if (!type.isPrimitive() && find(type.getName()) != type) {
                throw ClassRefusal.notSeen(codec, type, loader);
            }
            return true;
        }
    };

    SeenClasses(String codec, ClassLoader loader) {
        this.codec = codec;
        this.loader = loader;
    }

    private @Nullable Class<?> find(String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    void require(Class<?> type) {
        seen.get(type);
    }
}
