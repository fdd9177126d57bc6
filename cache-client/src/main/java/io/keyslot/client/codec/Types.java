// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.cache.failure.CodecException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The types that one codec writes and reads: those of the JDK by number, those of the application by name, if allowed.
 *
 * <p>Safe for use by several threads. Holds at most one entry for each allowed class.
 */
final class Types {
    static final String CODEC = "kryo";

    private final AllowedClasses allowed;
    private final ClassLoader loader;
    private final ConcurrentMap<Class<?>, GraphType> application = new ConcurrentHashMap<>();
    private final RecentTypes recent = new RecentTypes();

    Types(AllowedClasses allowed, ClassLoader loader) {
        this.allowed = allowed;
        this.loader = loader;
    }

    /**
     * Returns how objects of this class are written.
     *
     * @throws CodecException if they cannot be, or may not
     */
    GraphType of(Class<?> type) {
        GraphType known = JdkTypes.of(type);
        if (known == null) {
            known = application.get(type);
        }
        return known != null ? known : application.computeIfAbsent(declaring(type), this::create);
    }

    /** Returns the enum's class for that of a constant with a body; other classes as they are. */
    private static Class<?> declaring(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        return parent != null && parent.isEnum() ? parent : type;
    }

    /** Returns the types that were read by name, and may be read again without asking {@link #named}. */
    RecentTypes recent() {
        return recent;
    }

    /** Returns the type of the JDK with this number. */
    GraphType numbered(int id) {
        return JdkTypes.numbered(id);
    }

    /**
     * Returns the type with this name. Its class is loaded only if it is allowed, and not initialized.
     *
     * @throws CodecException if it is not allowed
     * @throws KryoException if there is no such class, as after it was renamed: to allow it would not help
     */
    GraphType named(String name) {
        if (!allowed.test(name) && !ClassFiles.exist(ArrayNames.elementOf(name), loader)) {
            throw new KryoException("A class is not known here");
        }
        requireAllowed(name);
        try {
            return of(Class.forName(name, false, loader));
        } catch (ClassNotFoundException e) {
            throw new KryoException("A class is not known here", e);
        }
    }

    private GraphType create(Class<?> type) {
        // First, as it would not help to allow such a class.
        ApplicationTypes.requireEncodable(type);
        requireAllowed(type.getName());
        return ApplicationTypes.of(type);
    }

    private void requireAllowed(String name) {
        if (!allowed.test(name)) {
            throw Refusal.notAllowed(CODEC, ArrayNames.elementOf(name));
        }
    }
}
