// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.client.codec.allow.ClassRefusal;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Calls classes of the application, and wraps their exceptions in runtime exceptions. */
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
}
