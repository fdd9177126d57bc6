// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.Codec;
import io.keyslot.client.Client;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.codec.VerifiedCodec;
import io.keyslot.client.codec.allow.AllowedClasses;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The codecs of the elements of one manager's aggregates, by class: text for scalars, the manager's codec for others. Safe
 * for use by several threads.
 */
final class ElementCodecs {
    /** How many codecs are kept; those of further classes are made each time. */
    private static final int MOST_CODECS = 1_000;

    private final ConcurrentMap<Class<?>, Codec<?>> codecs = new ConcurrentHashMap<>();
    private final ConcurrentMap<Class<?>, Codec<?>> values = new ConcurrentHashMap<>();
    private final String codecName;
    private final AllowedClasses allowed;
    private final ClassLoader classLoader;

    ElementCodecs(Client client, ClassLoader classLoader) {
        this.codecName = client.options().codec().defaultName();
        this.allowed = client.allowed();
        this.classLoader = classLoader;
    }

    /**
     * Returns the codec of a class.
     *
     * @throws IllegalArgumentException if it is a primitive type, or the manager's codec cannot hold its instances
     */
    @SuppressWarnings("unchecked") // the map has the codec of each class under it
    <E> Codec<E> of(Class<E> type) {
        Codec<?> known = codecs.get(type);
        if (known != null) {
            return (Codec<E>) known;
        }
        Codec<E> made = TextCodec.of(type).orElseGet(() -> verified(type));
        if (codecs.size() < MOST_CODECS) {
            codecs.put(type, made);
        }
        return made;
    }

    /**
     * Returns the manager's codec of a class, for values that are not elements.
     *
     * @throws IllegalArgumentException if the manager's codec cannot hold its instances
     */
    @SuppressWarnings("unchecked") // the map has the codec of each class under it
    <V> Codec<V> ofValues(Class<V> type) {
        Codec<?> known = values.get(type);
        if (known != null) {
            return (Codec<V>) known;
        }
        Codec<V> made = verified(type);
        if (values.size() < MOST_CODECS) {
            values.put(type, made);
        }
        return made;
    }

    @SuppressWarnings("unchecked") // a codec by name reads and writes values of the class that it was made for
    private <E> Codec<E> verified(Class<E> type) {
        if (type.isPrimitive()) {
            throw new IllegalArgumentException(
                    "Elements are objects, not of type %s; use the class that stands for it, such as Integer.class for int"
                            .formatted(type));
        }
        return new VerifiedCodec<>((Codec<E>) Codecs.create(codecName, type, allowed.with(type), classLoader), type);
    }
}
