// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.allow.KnownClasses;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the methods by which a class takes part in its serialization, by the rules of {@link Serializable}. */
final class SerialMethods {
    private SerialMethods() {}

    static @Nullable Method writeReplace(Class<?> type) {
        return inherited(type, "writeReplace");
    }

    static @Nullable Method readResolve(Class<?> type) {
        return inherited(type, "readResolve");
    }

    static @Nullable Method writeObject(Class<?> type) {
        return ownPrivate(type, "writeObject", ObjectOutputStream.class);
    }

    static @Nullable Method readObject(Class<?> type) {
        return ownPrivate(type, "readObject", ObjectInputStream.class);
    }

    private static @Nullable Method inherited(Class<?> type, String name) {
        for (Class<?> owner = type; owner != null && owner != Object.class; owner = owner.getSuperclass()) {
            Method method = declared(owner, name);
            if (method != null) {
                boolean applies = !KnownClasses.isJdk(owner.getName())
                        && method.getReturnType() == Object.class
                        && isInheritedBy(type, method);
                return applies ? Reflection.open(method) : null;
            }
        }
        return null;
    }

    private static boolean isInheritedBy(Class<?> type, Method method) {
        int modifiers = method.getModifiers();
        Class<?> owner = method.getDeclaringClass();
        if ((modifiers & (Modifier.STATIC | Modifier.ABSTRACT)) != 0) {
            return false;
        }
        return owner == type
                || (modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
                || (!Modifier.isPrivate(modifiers) && isSamePackage(owner, type));
    }

    private static boolean isSamePackage(Class<?> one, Class<?> other) {
        return Objects.equals(one.getClassLoader(), other.getClassLoader())
                && one.getPackageName().equals(other.getPackageName());
    }

    private static @Nullable Method ownPrivate(Class<?> type, String name, Class<?> parameter) {
        Method method = Serializable.class.isAssignableFrom(type) ? declared(type, name, parameter) : null;
        if (method == null || method.getReturnType() != void.class) {
            return null;
        }
        int modifiers = method.getModifiers();
        return Modifier.isPrivate(modifiers) && !Modifier.isStatic(modifiers) ? Reflection.open(method) : null;
    }

    private static @Nullable Method declared(Class<?> owner, String name, Class<?>... parameters) {
        try {
            return owner.getDeclaredMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
