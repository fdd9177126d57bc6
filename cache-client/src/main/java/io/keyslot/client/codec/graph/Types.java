// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.codec.allow.ArrayNames;
import io.keyslot.client.codec.allow.ClassFiles;
import io.keyslot.client.codec.allow.ClassRefusal;
import io.keyslot.client.codec.allow.JdkClasses;
import io.keyslot.client.codec.allow.SeenClasses;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The types that one codec writes and reads: those of the JDK by number, those of the application by name, if allowed.
 *
 * <p>Safe for use by several threads. Holds at most one entry for each allowed class.
 */
final class Types {
    static final String CODEC = "kryo";

    private final AllowedClasses allowed;
    private final ClassLoader loader;
    private final SeenClasses seen;
    private final ConcurrentMap<Class<?>, GraphType> application = new ConcurrentHashMap<>();
    private final RecentTypes recent = new RecentTypes();

    private final boolean isOfKeys;

    /** Null for a codec, which refuses the first class that cannot be written. */
    private final @Nullable Found found;

    Types(AllowedClasses allowed, ClassLoader loader) {
        this(allowed, loader, false, null);
    }

    /** @param isOfKeys whether equal values must have the same bytes */
    Types(AllowedClasses allowed, ClassLoader loader, boolean isOfKeys, @Nullable Found found) {
        this.allowed = allowed;
        this.loader = loader;
        this.found = found;
        this.isOfKeys = isOfKeys;
        this.seen = new SeenClasses(CODEC, loader);
    }

    /**
     * Returns how objects of this class are written.
     *
     * @throws CodecException if they cannot be, or may not
     */
    GraphType of(Class<?> type) {
        GraphType known = JdkTypes.of(type);
        if (known == null || (isOfKeys && known.isHashedByContent())) {
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
     * Returns the type with this name, as it was written in this shape. Its class is loaded only if it is allowed.
     *
     * @throws CodecException if it is not allowed
     * @throws KryoException if there is no such class, as after it was renamed: to allow it would not help
     */
    GraphType named(String name, Shape shape) {
        requireAllowedOrUnknown(name, isAllowed(name));
        try {
            return of(Class.forName(name, false, loader)).inShape(shape);
        } catch (ClassNotFoundException e) {
            throw new KryoException("A class is not known here", e);
        }
    }

    /**
     * Returns a class that is itself a value. It is loaded only if it may be named, and not initialized.
     *
     * @throws CodecException if it may not be named
     * @throws KryoException if there is no such class
     */
    Class<?> load(String name) throws ClassNotFoundException {
        requireAllowedOrUnknown(name, isNameable(name));
        return Class.forName(name, false, loader);
    }

    private void requireAllowedOrUnknown(String name, boolean isAllowed) {
        if (isAllowed) {
            return;
        }
        if (!ClassFiles.exist(ArrayNames.elementOf(name), loader)) {
            throw new KryoException("A class is not known here");
        }
        throw notAllowed(name);
    }

    private GraphType create(Class<?> type) {
        GraphType equal = isOfKeys ? JdkContainers.inKey(type) : JdkContainers.equalTo(type);
        if (equal != null) {
            return equal;
        }
        if (found != null) {
            return look(type, found);
        }
        // First, as it would not help to allow such a class.
        ApplicationTypes.requireEncodable(type);
        if (!isAllowed(type.getName())) {
            throw notAllowed(type.getName());
        }
        seen.require(type);
        return ApplicationTypes.of(type);
    }

    boolean areOfKeys() {
        return isOfKeys;
    }

    /** Notes what is wrong with a class, and returns how to look further into its objects. */
    private GraphType look(Class<?> type, Found refused) {
        try {
            ApplicationTypes.requireEncodable(type);
            GraphType created = ApplicationTypes.of(type);
            if (isAllowed(type.getName())) {
                seen.require(type);
            } else {
                refused.notAllowed().add(ArrayNames.elementOf(type.getName()));
            }
            return created;
        } catch (CodecException e) {
            refused.problems().add(String.valueOf(e.getMessage()));
            return JdkTypes.numbered(JdkTypes.WITHOUT_BYTES);
        }
    }

    /** Returns types that refuse no class, but note what is wrong with it. */
    Types looking(Found refused) {
        return new Types(allowed, loader, isOfKeys, refused);
    }

    /** The classes of one value that cannot be written: those that are not allowed, and what is wrong with others. */
    record Found(Set<String> notAllowed, Set<String> problems) {}

    /**
     * Returns whether a value may have objects of the class with this name.
     *
     * <p>Besides those of the allow list these are arrays of what has a number.
     */
    private boolean isAllowed(String name) {
        return allowed.test(name) || JdkTypes.isNumbered(ArrayNames.elementOf(name));
    }

    /** Returns whether a value may contain the class of this name itself. */
    private boolean isNameable(String name) {
        return isAllowed(name) || JdkClasses.isInterface(ArrayNames.elementOf(name));
    }

    /** Refuses a class that is a value, unless it may be named and found by its name. */
    void requireNameable(Class<?> type) {
        if (!isNameable(type.getName())) {
            throw notAllowed(type.getName());
        }
        seen.require(type);
    }

    private static CodecException notAllowed(String name) {
        return ClassRefusal.notAllowed(CODEC, ArrayNames.elementOf(name));
    }
}
