// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import com.esotericsoftware.kryo.kryo5.objenesis.instantiator.ObjectInstantiator;
import com.esotericsoftware.kryo.kryo5.objenesis.strategy.StdInstantiatorStrategy;
import io.keyslot.client.key.FieldStream.OtherDataException;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a class that are neither static nor transient: those of superclasses first, of each class by name.
 *
 * <p>Built without a constructor, since nobody knows what a constructor does. As in Java serialization, a {@code
 * readResolve} has the last word.
 *
 * <p>Transient fields are not in a text. If a class with such fields has a {@code readObject}, that is called as in Java
 * serialization, to compute them from the others. If that does not make the key equal to itself, what its {@code
 * writeObject} writes besides the fields is in the text as well.
 *
 * @param layers the class and its superclasses below the JDK's, the topmost first
 * @param hasHiddenState whether there are transient fields
 */
record SerializableShape(
        ObjectInstantiator<?> instantiator,
        List<FieldComponent> fields,
        List<Layer> layers,
        boolean hasHiddenState,
        @Nullable Method readResolve)
        implements KeyShape {

    /** The fields that one class of the hierarchy declares, and its own ways to write and read, if it has them. */
    record Layer(
            Class<?> type,
            List<FieldComponent> fields,
            @Nullable Method writeObject,
            @Nullable Method readObject) {
        static Layer of(Class<?> type, List<FieldComponent> all) {
            return new Layer(
                    type,
                    all.stream()
                            .filter(component -> component.field().getDeclaringClass() == type)
                            .toList(),
                    ownMethod(type, "writeObject", ObjectOutputStream.class),
                    ownMethod(type, "readObject", ObjectInputStream.class));
        }

        boolean writesData() {
            return writeObject != null && readObject != null;
        }
    }

    static SerializableShape of(Class<?> type) {
        List<Field> all = hierarchy(type).stream()
                .flatMap(SerializableShape::instanceFields)
                .toList();
        List<FieldComponent> fields = all.stream()
                .filter(field -> !Modifier.isTransient(field.getModifiers()))
                .map(FieldComponent::new)
                .toList();
        return new SerializableShape(
                new StdInstantiatorStrategy().newInstantiatorOf(type),
                fields,
                hierarchy(type).stream()
                        .filter(layer -> !isOfJdk(layer))
                        .map(layer -> Layer.of(layer, fields))
                        .toList(),
                fields.size() < all.size(),
                readResolve(type));
    }

    @Override
    public List<Component> components() {
        List<Component> components = new ArrayList<>(fields);
        writers()
                .forEach(layer -> components.add(new WrittenComponent(
                        layer.type(), Objects.requireNonNull(layer.writeObject()), this::isEqualByFields)));
        return List.copyOf(components);
    }

    private Stream<Layer> writers() {
        return hasHiddenState ? layers.stream().filter(Layer::writesData) : Stream.empty();
    }

    /** What a class writes may be no part of what it compares, so it is left out where that is possible. */
    private boolean isEqualByFields(Object owner) {
        @Nullable Object[] values = new @Nullable Object[fields.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = fields.get(i).get(owner);
        }
        try {
            Object rebuilt = build(values);
            return rebuilt.equals(owner) && owner.equals(rebuilt) && rebuilt.hashCode() == owner.hashCode();
        } catch (RuntimeException e) {
            return false; // a class that cannot be without what it writes
        }
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

    private static @Nullable Method ownMethod(Class<?> type, String name, Class<?> stream) {
        if (!Serializable.class.isAssignableFrom(type)) {
            return null;
        }
        try {
            Method method = type.getDeclaredMethod(name, stream);
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

    /** Builds an object from its fields and, if there is more, from what its classes have written. */
    @Override
    public Object build(@Nullable Object[] values) {
        Object built = hasHiddenState ? computed(values) : plain(values);
        return readResolve == null ? built : resolve(readResolve, built);
    }

    private Object plain(@Nullable Object[] values) {
        Object built = instantiator.newInstance();
        for (int i = 0; i < fields.size(); i++) {
            fields.get(i).set(built, values[i]);
        }
        return built;
    }

    private Object computed(@Nullable Object[] values) {
        Object built = instantiator.newInstance();
        List<FieldStream> streams = new ArrayList<>();
        Iterator<@Nullable Object> written =
                Arrays.asList(values).subList(fields.size(), values.length).iterator();
        try {
            for (Layer layer : layers) {
                Object data = layer.writesData() && written.hasNext() ? written.next() : null;
                List<?> items = data instanceof List<?> list ? list : List.of();
                FieldStream stream = new FieldStream(layer.type(), built, valuesOf(layer, values), items);
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

    private Map<FieldComponent, @Nullable Object> valuesOf(Layer layer, @Nullable Object[] values) {
        Map<FieldComponent, @Nullable Object> own = new LinkedHashMap<>();
        for (int i = 0; i < fields.size(); i++) {
            if (layer.fields().contains(fields.get(i))) {
                own.put(fields.get(i), values[i]);
            }
        }
        return own;
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
            throw KeyRefusals.refused(layer.readObject(), e);
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
            throw KeyRefusals.refused(readResolve, e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("Method was made accessible: " + readResolve, e);
        }
    }
}
