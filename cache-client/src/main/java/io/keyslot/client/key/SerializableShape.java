// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import com.esotericsoftware.kryo.kryo5.objenesis.instantiator.ObjectInstantiator;
import com.esotericsoftware.kryo.kryo5.objenesis.strategy.StdInstantiatorStrategy;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a class that are neither static nor transient: those of superclasses first, of each class by name.
 *
 * <p>Built without a constructor, since nobody knows what a constructor does. As in Java serialization, a {@code
 * readResolve} has the last word.
 */
record SerializableShape(
        ObjectInstantiator<?> instantiator,
        List<Component> components,
        boolean hasHiddenState,
        @Nullable Method readResolve)
        implements KeyShape {
    static SerializableShape of(Class<?> type) {
        List<Field> fields = hierarchy(type).stream()
                .flatMap(SerializableShape::instanceFields)
                .toList();
        List<Component> components = fields.stream()
                .filter(field -> !Modifier.isTransient(field.getModifiers()))
                .map(Component::new)
                .toList();
        return new SerializableShape(
                new StdInstantiatorStrategy().newInstantiatorOf(type),
                components,
                components.size() < fields.size(),
                readResolve(type));
    }

    /** Returns whether the class belongs to the JDK, whose fields are none of our business. */
    static boolean isOfJdk(Class<?> type) {
        return type.getClassLoader() == null
                || ClassLoader.getPlatformClassLoader().equals(type.getClassLoader());
    }

    static boolean extendsJdkClassWithFields(Class<?> type) {
        return hierarchy(type).stream()
                .filter(SerializableShape::isOfJdk)
                .flatMap(SerializableShape::instanceFields)
                .findAny()
                .isPresent();
    }

    /** Returns the class and its superclasses, the uppermost first. */
    private static List<Class<?>> hierarchy(Class<?> type) {
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            classes.add(0, c);
        }
        return classes;
    }

    private static Stream<Field> instanceFields(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .sorted(Comparator.comparing(Field::getName));
    }

    private static @Nullable Method readResolve(Class<?> type) {
        for (Class<?> c = type; c != null && !isOfJdk(c); c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                boolean isInherited = c == type || !Modifier.isPrivate(method.getModifiers());
                if (method.getName().equals("readResolve") && method.getParameterCount() == 0 && isInherited) {
                    method.setAccessible(true);
                    return method;
                }
            }
        }
        return null;
    }

    @Override
    public Object build(@Nullable Object[] values) {
        Object built = instantiator.newInstance();
        for (int i = 0; i < values.length; i++) {
            components.get(i).set(built, values[i]);
        }
        return readResolve == null ? built : resolve(readResolve, built);
    }

    private static Object resolve(Method readResolve, Object built) {
        try {
            Object resolved = readResolve.invoke(built);
            if (resolved == null) {
                throw new IllegalArgumentException("its class resolves it to null");
            }
            return resolved;
        } catch (InvocationTargetException e) {
            throw Reflection.refused(readResolve, e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("Method was made accessible: " + readResolve, e);
        }
    }
}
