// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.client.codec.GraphType.Sharing;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The types of the JDK that have an encoded form, by number; {@code docs/contributing/kryo-format.md} lists them. Several classes
 * may share a number, such as the two of {@code EnumSet}.
 */
final class JdkTypes {
    /** The limit of numbers. It is part of the format and never changes. */
    static final int MAX_TYPES = 112;

    /** A type whose objects have no bytes. */
    static final int WITHOUT_BYTES = 103;

    private static final @Nullable GraphType[] BY_NUMBER = new GraphType[MAX_TYPES];
    private static final Map<Class<?>, GraphType> BY_CLASS = new HashMap<>();
    private static final Set<String> NAMES;

    static {
        JdkValues.addAll();
        JdkContainers.addAll();
        NAMES = BY_CLASS.keySet().stream().map(Class::getName).collect(Collectors.toUnmodifiableSet());
    }

    private JdkTypes() {}

    /** Adds a type; called when this class is initialized. */
    static void add(int number, ValueSerializer<?> serializer, Sharing sharing, Class<?>... classes) {
        if (BY_NUMBER[number] != null) {
            throw new IllegalStateException("type number %d is taken twice".formatted(number));
        }
        GraphType type = GraphType.numbered(number, classes[0], serializer, sharing);
        BY_NUMBER[number] = type;
        for (Class<?> runtimeClass : classes) {
            BY_CLASS.putIfAbsent(runtimeClass, type);
        }
    }

    static @Nullable GraphType of(Class<?> type) {
        return BY_CLASS.get(type);
    }

    static boolean isNumbered(String className) {
        return NAMES.contains(className);
    }

    /** Returns the type with this number if its objects are {@linkplain GraphType#isLeaf leaves}, otherwise null. */
    static @Nullable GraphType leafOrNull(int number) {
        GraphType type = number < 0 || number >= MAX_TYPES ? null : BY_NUMBER[number];
        return type != null && type.isLeaf() ? type : null;
    }

    static GraphType numbered(int number) {
        GraphType type = number < 0 || number >= MAX_TYPES ? null : BY_NUMBER[number];
        if (type == null) {
            throw new KryoException("Type number %d is not known to this version".formatted(number));
        }
        return type;
    }
}
