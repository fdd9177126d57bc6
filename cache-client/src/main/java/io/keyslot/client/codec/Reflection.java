// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import java.io.Externalizable;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * Finds and calls methods and constructors of the application, the serialization methods by the rules of
 * {@link Serializable}, and wraps their exceptions in runtime exceptions.
 */
final class Reflection {
    private Reflection() {}

    static <M extends AccessibleObject & Member> M open(M member) {
        try {
            member.setAccessible(true);
            return member;
        } catch (InaccessibleObjectException e) {
            Class<?> owner = member.getDeclaringClass();
            throw ClassRefusal.of(
                    Types.CODEC,
                    owner,
                    "is in a module that hides it: add 'opens %s to io.keyslot.client;' to its module-info"
                            .formatted(owner.getPackageName()));
        }
    }

    static @Nullable Object invoke(Method method, Object target, @Nullable Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw failed(method, e.getCause());
        } catch (IllegalAccessException e) {
            throw failed(method, e);
        }
    }

    static <T> T construct(Constructor<T> constructor, @Nullable Object... arguments) {
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw failed(constructor, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw failed(constructor, e);
        }
    }

    static RuntimeException failed(Member member, @Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return new KryoException(
                "%s of %s failed"
                        .formatted(member.getName(), member.getDeclaringClass().getName()),
                cause);
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

    /** Returns {@code writeReplace} or {@code readResolve} of a class or its parents outside the JDK. */
    static @Nullable Method inherited(Class<?> type, String name) {
        for (Class<?> owner = type;
                owner != null && !KnownClasses.isJdk(owner.getName());
                owner = owner.getSuperclass()) {
            Method method = declared(owner, name);
            if (method != null) {
                boolean applies = method.getReturnType() == Object.class
                        && (method.getModifiers() & (Modifier.STATIC | Modifier.ABSTRACT)) == 0
                        && (owner == type || !Modifier.isPrivate(method.getModifiers()));
                return applies ? open(method) : null;
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
