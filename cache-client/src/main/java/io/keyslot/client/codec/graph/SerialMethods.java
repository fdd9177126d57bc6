// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.allow.KnownClasses;
import java.io.Externalizable;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/** Finds the serialization methods of a class, by the rules of {@link Serializable}. */
final class SerialMethods {
    private SerialMethods() {}

    static @Nullable Method writeReplace(Class<?> type) {
        return inherited(type, "writeReplace");
    }

    static @Nullable Method readResolve(Class<?> type) {
        return inherited(type, "readResolve");
    }

    /** Returns whether a class outside the JDK writes or reads its objects itself. */
    static boolean writesItself(Class<?> type) {
        if (Externalizable.class.isAssignableFrom(type)) {
            return true;
        }
        for (Class<?> owner = type;
                owner != null && !KnownClasses.isJdk(owner.getName());
                owner = owner.getSuperclass()) {
            if (Serializable.class.isAssignableFrom(owner)
                    && (declared(owner, "writeObject", ObjectOutputStream.class) != null
                            || declared(owner, "readObject", ObjectInputStream.class) != null)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Method inherited(Class<?> type, String name) {
        for (Class<?> owner = type;
                owner != null && !KnownClasses.isJdk(owner.getName());
                owner = owner.getSuperclass()) {
            Method method = declared(owner, name);
            if (method != null) {
                boolean applies = method.getReturnType() == Object.class
                        && (method.getModifiers() & (Modifier.STATIC | Modifier.ABSTRACT)) == 0
                        && (owner == type || !Modifier.isPrivate(method.getModifiers()));
                return applies ? Reflection.open(method) : null;
            }
        }
        return null;
    }

    private static @Nullable Method declared(Class<?> owner, String name, Class<?>... parameters) {
        try {
            return owner.getDeclaredMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
