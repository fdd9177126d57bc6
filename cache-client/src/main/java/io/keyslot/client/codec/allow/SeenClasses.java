// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.allow;

import io.keyslot.cache.failure.CodecException;
import org.jspecify.annotations.Nullable;

/**
 * The classes that the reader's class loader finds by their names. A value of another class would be written, and read by nobody:
 * in an application server, that is one of another deployment.
 *
 * <p>A class is looked up once; one that is not found is looked up again each time, as it may be installed later. Safe for use by
 * several threads.
 */
public final class SeenClasses {
    private final String codec;
    private final ClassLoader loader;

    /** Holds no class longer than its own loader does. */
    private final ClassValue<Boolean> seen = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            if (!type.isPrimitive() && find(type.getName()) != type) {
                throw ClassRefusal.notSeen(codec, type, loader);
            }
            return true;
        }
    };

    /** Creates the classes that this loader finds for the codec of this name. */
    public SeenClasses(String codec, ClassLoader loader) {
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

    /**
     * Refuses a class that the loader does not find, or of which it finds another one.
     *
     * @throws CodecException with the class, both loaders, and what to do
     */
    public void require(Class<?> type) {
        seen.get(type);
    }
}
