// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.objenesis.instantiator.ObjectInstantiator;
import com.esotericsoftware.kryo.kryo5.objenesis.strategy.StdInstantiatorStrategy;
import io.keyslot.client.codec.allow.ClassRefusal;
import io.keyslot.client.codec.allow.KnownClasses;
import io.keyslot.client.codec.graph.ContainerSerializer.Place;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Serializes objects of the application: their fields, class by class, then the elements of a container. Creates an
 * object with its constructor without parameters, if it has one, and leaves missing fields alone.
 */
final class ObjectSerializer extends FieldsSerializer {
    private final boolean hasElements;
    private final ObjectInstantiator<?> instantiator;
    private final @Nullable Method readResolve;

    private ObjectSerializer(
            Slots slots,
            FieldAccess[] order,
            boolean hasElements,
            ObjectInstantiator<?> instantiator,
            @Nullable Method readResolve) {
        super(slots, order);
        this.hasElements = hasElements;
        this.instantiator = instantiator;
        this.readResolve = readResolve;
    }

    static ObjectSerializer of(Class<?> type) {
        Slots slots = Slots.of(type);
        Constructor<?> constructor = constructorOf(type);
        boolean hasElements = requireReadable(type, constructor != null);
        return new ObjectSerializer(
                slots, slots.own(), hasElements, instantiatorOf(type, constructor), SerialMethods.readResolve(type));
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

    private static ObjectInstantiator<?> instantiatorOf(Class<?> type, @Nullable Constructor<?> constructor) {
        return constructor == null
                ? new StdInstantiatorStrategy().newInstantiatorOf(type)
                : () -> Reflection.construct(constructor);
    }

    boolean hasElements() {
        return hasElements;
    }

    @Override
    ObjectSerializer reading(FieldAccess[] otherOrder) {
        return new ObjectSerializer(slots(), otherOrder, hasElements, instantiator, readResolve);
    }

    @Override
    void write(Graph graph, ValueOutput output, Object object) {
        writeParts(graph, output, object);
        if (hasElements) {
            ContainerSerializer.writeElements(graph, output, object, placeIn(object), ElementOrder.AS_ITERATED);
        }
    }

    @Override
    @Nullable
    Object read(Graph graph, BoundedInput input) {
        int id = graph.references().newestReadId();
        Object object = instantiator.newInstance();
        graph.reference(object);
        readParts(graph, input, object);
        if (hasElements) {
            readElements(graph, input, object);
        }
        // Later references refer to the result of readResolve, not to the object that was read.
        if (readResolve == null) {
            return object;
        }
        Object resolved = Reflection.invoke(readResolve, object);
        graph.references().resolve(id, resolved);
        return resolved;
    }

    private static void readElements(Graph graph, BoundedInput input, Object container) {
        if (container instanceof Map<?, ?> map) {
            map.clear();
        } else {
            ((Collection<?>) container).clear();
        }
        ContainerSerializer.readElements(graph, input, input.readLength(1), container, placeIn(container));
    }

    private static Place placeIn(Object container) {
        return container instanceof Set || container instanceof Map ? Place.HASHED : Place.ORDERED;
    }
}
