// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.objenesis.instantiator.ObjectInstantiator;
import com.esotericsoftware.kryo.kryo5.objenesis.strategy.StdInstantiatorStrategy;
import io.keyslot.client.codec.allow.KnownClasses;
import io.keyslot.client.codec.allow.Refusal;
import java.io.Externalizable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an object of a class consists of, and how an empty one is made: by the constructor without parameters if there is
 * one, otherwise without any constructor.
 *
 * @param layers the class and its superclasses up to the JDK's, the topmost first
 * @param hasElements whether a superclass in the JDK is a collection or map with content of its own
 */
record ObjectLayout(
        List<Layer> layers,
        boolean hasElements,
        ObjectInstantiator<?> instantiator,
        @Nullable Method readResolve,
        int fingerprint) {
    ObjectLayout {
        layers = List.copyOf(layers);
    }

    /** The fields of one class, without its superclass, and its own way to write them, if it has one. */
    record Layer(
            Class<?> type,
            List<FieldAccess> fields,
            @Nullable Method writeObject,
            @Nullable Method readObject) {
        static Layer of(Class<?> type) {
            Method readObject = SerialMethods.readObject(type);
            // Without a readObject, Java serialization drops what a writeObject writes besides the fields.
            Method writeObject = readObject == null ? null : SerialMethods.writeObject(type);
            return new Layer(type, FieldAccess.declaredBy(type), writeObject, readObject);
        }

        boolean isCustom() {
            return readObject != null;
        }
    }

    static ObjectLayout of(Class<?> type) {
        List<Layer> layers = layersOf(type);
        Class<?> ofJdk = layers.get(0).type().getSuperclass();
        boolean hasElements = hasState(ofJdk);
        Constructor<?> constructor = constructorOf(type);
        if (hasElements && (constructor == null || !isContainer(type))) {
            throw Refusal.of(
                    Types.CODEC,
                    type,
                    "extends %s, whose fields cannot be read: %s"
                            .formatted(
                                    ofJdk.getName(),
                                    isContainer(type)
                                            ? "give it a constructor without parameters"
                                            : "hold it in a field instead"));
        }
        return new ObjectLayout(
                layers,
                hasElements,
                instantiatorOf(type, constructor),
                SerialMethods.readResolve(type),
                fingerprintOf(layers));
    }

    /** Returns the class and its superclasses below the JDK's, the topmost first. */
    static List<Layer> layersOf(Class<?> type) {
        if (Externalizable.class.isAssignableFrom(type)) {
            throw Refusal.of(Types.CODEC, type, "is Externalizable, which is supported by codec: jdk only");
        }
        List<Layer> layers = new ArrayList<>();
        Class<?> current = type;
        while (!KnownClasses.isJdk(current.getName())) {
            layers.add(Layer.of(current));
            current = current.getSuperclass();
        }
        Collections.reverse(layers);
        return layers;
    }

    private static int fingerprintOf(List<Layer> layers) {
        return addTo(Fingerprint.start("object"), layers).value();
    }

    static Fingerprint addTo(Fingerprint fingerprint, List<Layer> layers) {
        for (Layer layer : layers) {
            fingerprint.add(layer.isCustom() ? "custom" : "class", layer.type());
            layer.fields().forEach(field -> fingerprint.add(field.name(), field.type()));
        }
        return fingerprint;
    }

    private static boolean isContainer(Class<?> type) {
        return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
    }

    /** Returns whether a class of the JDK, or one above it, keeps something that must be written. */
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
}
