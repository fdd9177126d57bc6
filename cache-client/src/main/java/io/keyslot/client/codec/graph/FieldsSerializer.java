// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.objenesis.instantiator.ObjectInstantiator;
import com.esotericsoftware.kryo.kryo5.objenesis.strategy.StdInstantiatorStrategy;
import io.keyslot.client.codec.graph.ContainerSerializer.ElementOrder;
import io.keyslot.client.codec.graph.ContainerSerializer.Place;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Serializes objects that consist of fields, which may differ between versions of their class. */
abstract class FieldsSerializer extends ValueSerializer<Object> {
    private final Slots slots;
    private final FieldAccess[] order;

    FieldsSerializer(Slots slots, FieldAccess[] order) {
        this.slots = slots;
        this.order = order;
    }

    Slots slots() {
        return slots;
    }

    /** Returns a serializer that reads values with the fields in another order. */
    abstract FieldsSerializer reading(FieldAccess[] otherOrder);

    final void writeParts(Graph graph, ValueOutput output, Object object) {
        for (FieldAccess slot : order) {
            slot.write(graph, output, object);
        }
    }

    final void readParts(Graph graph, BoundedInput input, Object into) {
        for (FieldAccess slot : order) {
            slot.read(graph, input, into);
        }
    }

    /**
     * Serializes objects of the application: their fields, class by class, then the elements of a container. Creates an
     * object with its constructor without parameters, if it has one, and leaves missing fields alone.
     */
    static final class ObjectSerializer extends FieldsSerializer {
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
                    slots,
                    slots.own(),
                    hasElements,
                    instantiatorOf(type, constructor),
                    Reflection.inherited(type, "readResolve"));
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
            graph.references().setReadObject(id, resolved);
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

    /** Serializes records, which their canonical constructor restores; missing components are 0, false or null. */
    static final class RecordSerializer extends FieldsSerializer {
        private final Constructor<?> constructor;
        private final @Nullable Object[] missing;
        private final @Nullable Method readResolve;

        private RecordSerializer(
                Slots slots,
                FieldAccess[] order,
                Constructor<?> constructor,
                @Nullable Object[] missing,
                @Nullable Method readResolve) {
            super(slots, order);
            this.constructor = constructor;
            this.missing = missing;
            this.readResolve = readResolve;
        }

        static RecordSerializer of(Class<?> type) {
            Class<?>[] types = Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            @Nullable
            Object[] missing = Arrays.stream(types)
                    .map(component -> FieldKind.of(component).missing())
                    .toArray();
            Slots slots = Slots.ofRecord(type);
            try {
                Constructor<?> constructor = Reflection.open(type.getDeclaredConstructor(types));
                return new RecordSerializer(
                        slots, slots.own(), constructor, missing, Reflection.inherited(type, "readResolve"));
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(type.getName() + " is not what the language calls a record", e);
            }
        }

        @Override
        RecordSerializer reading(FieldAccess[] otherOrder) {
            return new RecordSerializer(slots(), otherOrder, constructor, missing, readResolve);
        }

        @Override
        void write(Graph graph, ValueOutput output, Object value) {
            int id = graph.references().beginBuilt();
            writeParts(graph, output, value);
            graph.references().endBuilt(id);
        }

        @Override
        @Nullable
        Object read(Graph graph, BoundedInput input) {
            @Nullable Object[] components = missing.clone();
            readParts(graph, input, components);
            Object value = Reflection.construct(constructor, components);
            return readResolve == null ? value : Reflection.invoke(readResolve, value);
        }
    }
}
