// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.objenesis.instantiator.ObjectInstantiator;
import com.esotericsoftware.kryo.kryo5.objenesis.strategy.StdInstantiatorStrategy;
import io.keyslot.client.codec.ContainerSerializer.ElementOrder;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Serializes objects of the application, which may differ between versions of their class: their fields, class by class,
 * then the elements of a container. Creates an object with its constructor without parameters, if it has one, and leaves
 * missing fields alone; a record with its canonical constructor, with 0, false or null for missing components.
 *
 * @param instantiator null for records
 * @param canonical null for other objects than records
 */
@SuppressWarnings("ArrayRecordComponent") // Not compared.
record FieldsSerializer(
        Slots slots,
        FieldAccess[] order,
        boolean hasElements,
        @Nullable ObjectInstantiator<?> instantiator,
        @Nullable Constructor<?> canonical,
        @Nullable Object[] missing,
        @Nullable Method readResolve)
        implements ValueSerializer<Object> {
    static FieldsSerializer ofObject(Class<?> type) {
        Slots slots = Slots.of(type);
        Constructor<?> constructor = constructorOf(type);
        boolean hasElements = requireReadable(type, constructor != null);
        ObjectInstantiator<?> instantiator = constructor == null
                ? new StdInstantiatorStrategy().newInstantiatorOf(type)
                : () -> Reflection.construct(constructor);
        return new FieldsSerializer(
                slots,
                slots.own(),
                hasElements,
                instantiator,
                null,
                new Object[0],
                Reflection.inherited(type, "readResolve"));
    }

    static FieldsSerializer ofRecord(Class<?> type) {
        Class<?>[] types = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        @Nullable
        Object[] missing = Arrays.stream(types)
                .map(component -> FieldKind.of(component).missing())
                .toArray();
        Slots slots = Slots.ofRecord(type);
        try {
            Constructor<?> canonical = Reflection.open(type.getDeclaredConstructor(types));
            return new FieldsSerializer(
                    slots, slots.own(), false, null, canonical, missing, Reflection.inherited(type, "readResolve"));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type.getName() + " is not what the language calls a record", e);
        }
    }

    /** Returns whether a superclass in the JDK is a collection or map with content; refuses any other content. */
    private static boolean requireReadable(Class<?> type, boolean hasConstructor) {
        Class<?> ofJdk = type;
        while (!KnownClasses.isJdk(ofJdk.getName())) {
            ofJdk = ofJdk.getSuperclass();
        }
        if (!hasState(ofJdk)) {
            return false;
        }
        if (!isContainer(type) || !hasConstructor) {
            throw ClassRefusal.of(
                    Types.CODEC,
                    type,
                    "extends %s and %s"
                            .formatted(
                                    ofJdk.getName(),
                                    isContainer(type)
                                            ? "has no constructor without parameters: store a copy instead, such as new %s<>(it)"
                                                    .formatted(ofJdk.getSimpleName())
                                            : "its fields cannot be read: hold it in a field instead"));
        }
        return true;
    }

    static boolean isContainer(Class<?> type) {
        return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
    }

    /** Returns whether a class of the JDK or one of its superclasses has state that must be written. */
    private static boolean hasState(Class<?> jdkClass) {
        for (Class<?> type = jdkClass; type != null; type = type.getSuperclass()) {
            if (Arrays.stream(type.getDeclaredFields()).anyMatch(FieldAccess::isState)
                    || Arrays.stream(type.getDeclaredMethods())
                            .anyMatch(method -> method.getName().equals("writeObject"))) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Constructor<?> constructorOf(Class<?> type) {
        try {
            return Reflection.open(type.getDeclaredConstructor());
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** Returns a serializer of objects that were written in another shape; throws if they cannot be read. */
    FieldsSerializer in(Shape shape) {
        return new FieldsSerializer(slots, slots.in(shape), hasElements, instantiator, canonical, missing, readResolve);
    }

    @Override
    public void write(Graph graph, ValueOutput output, Object object) {
        int id = canonical == null ? References.NONE : graph.references().beginBuilt();
        for (FieldAccess field : order) {
            field.write(graph, output, object);
        }
        if (hasElements) {
            ContainerSerializer.writeElements(graph, output, object, isHashed(object), ElementOrder.AS_ITERATED);
        }
        graph.references().endBuilt(id);
    }

    @Override
    public @Nullable Object read(Graph graph, BoundedInput input, int id) {
        Object value;
        if (instantiator == null) {
            @Nullable Object[] components = missing.clone();
            readFields(graph, input, components);
            value = Reflection.construct(Objects.requireNonNull(canonical), components);
        } else {
            value = instantiator.newInstance();
            graph.references().setRead(id, value);
            readFields(graph, input, value);
            if (hasElements) {
                readElements(graph, input, value);
            }
        }
        return readResolve == null ? value : Reflection.invoke(readResolve, value);
    }

    private void readFields(Graph graph, BoundedInput input, Object into) {
        for (FieldAccess field : order) {
            field.read(graph, input, into);
        }
    }

    private static void readElements(Graph graph, BoundedInput input, Object container) {
        if (container instanceof Map<?, ?> map) {
            map.clear();
        } else {
            ((Collection<?>) container).clear();
        }
        ContainerSerializer.readElements(graph, input, input.readLength(1), container, isHashed(container));
    }

    private static boolean isHashed(Object container) {
        return container instanceof Set || container instanceof Map;
    }
}
