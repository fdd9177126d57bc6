// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import com.esotericsoftware.kryo.kryo5.objenesis.instantiator.ObjectInstantiator;
import com.esotericsoftware.kryo.kryo5.objenesis.strategy.StdInstantiatorStrategy;
import io.keyslot.client.key.FieldStream.OtherDataException;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a class that are neither static nor transient: those of superclasses first, of each class by name.
 *
 * <p>Built without a constructor, since nobody knows what a constructor does. As in Java serialization, a {@code
 * readResolve} has the last word.
 *
 * <p>Transient fields are not in a text. If a class with such fields has a {@code readObject}, that is called as in Java
 * serialization, to compute them from the others. Where it reads more than fields, the key is built without it: whether
 * that is enough, its {@code equals} will say.
 *
 * @param layers the class and its superclasses below the JDK's, the topmost first
 * @param hasHiddenState whether there are transient fields
 */
record SerializableShape(
        ObjectInstantiator<?> instantiator,
        List<Component> components,
        List<Layer> layers,
        boolean hasHiddenState,
        @Nullable Method readResolve)
        implements KeyShape {

    /** The components that one class of the hierarchy declares, and its own way to read them, if it has one. */
    record Layer(
            Class<?> type,
            List<Component> components,
            @Nullable Method readObject) {
        static Layer of(Class<?> type, List<Component> all) {
            List<Component> own = all.stream()
                    .filter(component -> component.field().getDeclaringClass() == type)
                    .toList();
            return new Layer(type, own, SerializableShape.readObject(type));
        }
    }

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
                hierarchy(type).stream()
                        .filter(layer -> !isOfJdk(layer))
                        .map(layer -> Layer.of(layer, components))
                        .toList(),
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

    private static @Nullable Method readObject(Class<?> type) {
        if (!Serializable.class.isAssignableFrom(type)) {
            return null;
        }
        try {
            Method method = type.getDeclaredMethod("readObject", ObjectInputStream.class);
            int modifiers = method.getModifiers();
            if (!Modifier.isPrivate(modifiers)
                    || Modifier.isStatic(modifiers)
                    || method.getReturnType() != void.class) {
                return null;
            }
            method.setAccessible(true);
            return method;
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    @Override
    public Object build(@Nullable Object[] values) {
        Object built = hasHiddenState ? computed(values) : plain(values);
        return readResolve == null ? built : resolve(readResolve, built);
    }

    private Object plain(@Nullable Object[] values) {
        Object built = instantiator.newInstance();
        for (int i = 0; i < values.length; i++) {
            components.get(i).set(built, values[i]);
        }
        return built;
    }

    private Object computed(@Nullable Object[] values) {
        Map<Component, @Nullable Object> fields = new HashMap<>();
        for (int i = 0; i < values.length; i++) {
            fields.put(components.get(i), values[i]);
        }
        Object built = instantiator.newInstance();
        List<FieldStream> streams = new ArrayList<>();
        try {
            for (Layer layer : layers) {
                Map<Component, @Nullable Object> own = new LinkedHashMap<>();
                layer.components().forEach(component -> own.put(component, fields.get(component)));
                FieldStream stream = new FieldStream(layer.type(), built, own);
                streams.add(stream);
                read(layer, stream, built);
            }
            for (FieldStream stream : streams) {
                stream.validate();
            }
            return built;
        } catch (OtherDataException e) {
            return plain(values);
        } catch (InvalidObjectException e) {
            throw new IllegalArgumentException("its class refused its components", e);
        } catch (IOException e) {
            throw new IllegalStateException("a stream in memory failed", e);
        }
    }

    private static void read(Layer layer, FieldStream stream, Object built) throws OtherDataException {
        if (layer.readObject() == null) {
            stream.defaultReadObject();
            return;
        }
        try {
            layer.readObject().invoke(built, stream);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof OtherDataException other) {
                throw other;
            }
            throw Reflection.refused(layer.readObject(), e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("Method was made accessible: " + layer.readObject(), e);
        }
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
