// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Makes objects of a class by the constructor of one of its superclasses, as Java serialization does. No constructor of the
 * classes in between runs.
 */
final class InheritedConstructor {
    private InheritedConstructor() {}

    /** Returns a constructor that makes objects of the type, with the parameters of the public constructor that it runs. */
    static Constructor<?> of(Class<?> type, Constructor<?> inherited) {
        if (inherited.getDeclaringClass() == type) {
            return inherited;
        }
        try {
            // By reflection, as the compiler warns of each use, and offers no way to accept that.
            Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
            Method create = factory.getMethod("newConstructorForSerialization", Class.class, Constructor.class);
            Object instance = factory.getMethod("getReflectionFactory").invoke(null);
            return (Constructor<?>) create.invoke(instance, type, inherited);
        } catch (InvocationTargetException e) {
            throw Reflection.failed(inherited, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw Reflection.failed(inherited, e);
        }
    }
}
