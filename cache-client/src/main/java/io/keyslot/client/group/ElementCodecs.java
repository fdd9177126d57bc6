// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntryLimits;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.codec.VerifiedCodec;
import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.entry.ValueCoder;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * Creates and caches the coders of elements and rows by class: text for scalars, otherwise the manager's codec. Safe
 * for use by several threads.
 */
final class ElementCodecs {
    /** The maximum number of cached codecs. */
    private static final int MOST_CODECS = 1_000;

    private final ConcurrentMap<Class<?>, Codec<?>> elements = new ConcurrentHashMap<>();
    private final ConcurrentMap<Class<?>, Codec<?>> rows = new ConcurrentHashMap<>();
    private final String codecName;
    private final AllowedClasses allowed;
    private final ClassLoader classLoader;
    private final EntryLimits limits;
    private final StampSource stamps;

    public ElementCodecs(
            String codecName, AllowedClasses allowed, ClassLoader classLoader, EntryLimits limits, StampSource stamps) {
        this.codecName = codecName;
        this.allowed = allowed;
        this.classLoader = classLoader;
        this.limits = limits;
        this.stamps = stamps;
    }

    public EntryLimits limits() {
        return limits;
    }

    /**
     * Returns the coder of elements of a class, with a name of the aggregate for messages.
     *
     * @throws IllegalArgumentException if it is a primitive type, or the manager's codec cannot hold its instances
     */
    <E> ElementCoder<E> ofElements(String owner, Class<E> type) {
        Codec<E> codec = kept(elements, type, () -> TextCodec.of(type).orElseGet(() -> verified(type)));
        return new ElementCoder<>(owner, type, codec, limits.valueBytes());
    }

    /** Throws {@code IllegalArgumentException} if the manager's codec cannot hold instances of the class. */
    public <V> ValueCoder<V> ofRows(String entityType, Class<V> type) {
        return new ValueCoder<>(entityType, kept(rows, type, () -> verified(type)), limits, stamps);
    }

    @SuppressWarnings("unchecked") // the codec of each class is stored under the class
    private static <E> Codec<E> kept(
            ConcurrentMap<Class<?>, Codec<?>> codecs, Class<E> type, Supplier<Codec<E>> maker) {
        Codec<?> known = codecs.get(type);
        if (known != null) {
            return (Codec<E>) known;
        }
        Codec<E> made = maker.get();
        if (codecs.size() < MOST_CODECS) {
            codecs.put(type, made);
        }
        return made;
    }

    @SuppressWarnings("unchecked") // a codec reads and writes the class for which it was created
    private <E> Codec<E> verified(Class<E> type) {
        if (type.isPrimitive()) {
            throw new IllegalArgumentException(
                    "Elements are objects, not of type %s; use the class that stands for it, such as Integer.class for int"
                            .formatted(type));
        }
        return new VerifiedCodec<>((Codec<E>) Codecs.create(codecName, type, allowed.with(type), classLoader), type);
    }
}
