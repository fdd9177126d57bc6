// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.JsonMappings.JsonMapping;
import io.keyslot.client.codec.graph.AllowedClasses;
import io.keyslot.client.codec.graph.ClassRefusal;
import io.keyslot.client.codec.graph.SeenClasses;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * JSON, for values that other programs read. The cache's value type decides which class is read: JSON names a class
 * only where {@code @JsonTypeInfo} asks for it, and only one of the allow list. Safe for use by several threads.
 *
 * <p>Refuses types and values that could not be read again, such as a subclass, number or date in a field whose type
 * does not identify it; so each encoded value is decoded. Unknown properties are ignored, missing ones null or zero.
 */
record JsonCodec(Class<?> type, JsonMapping mapping, AllowedClasses allowed, SeenClasses seen)
        implements ArrayCodec<Object> {
    static final String NAME = "json";

    /** Throws {@code IllegalArgumentException} if JSON does not identify the type of the values, or there is no Jackson. */
    static JsonCodec create(Class<?> type, AllowedClasses allowed, ClassLoader loader) {
        return of(type, JsonMappings.present(), allowed, loader);
    }

    static JsonCodec of(Class<?> type, JsonMappings library, AllowedClasses allowed, ClassLoader loader) {
        JsonMapping mapping = library.of(type, allowed, loader);
        String problem = mapping.namesSubtypes() ? null : problemOf(type);
        if (problem != null) {
            throw new IllegalArgumentException(
                    "codec is 'json', and the values are of type %s: %s".formatted(type.getTypeName(), problem));
        }
        return new JsonCodec(type, mapping, allowed, new SeenClasses(NAME, loader));
    }

    private static @Nullable String problemOf(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        if (element == Object.class) {
            return "declare a type by setTypes, as JSON does not say which class a value is of";
        }
        if (Collection.class.isAssignableFrom(element) || Map.class.isAssignableFrom(element)) {
            return "JSON does not say of which type the elements are; declare a record or class with a field of, say, List<Order>";
        }
        boolean isAbstract = Modifier.isAbstract(element.getModifiers()) && !element.isPrimitive() && !element.isEnum();
        return isAbstract
                ? "it is abstract; declare a class, or let its JSON name the subtypes by @JsonTypeInfo"
                : null;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte[] encode(Object value, int gapBytes) {
        requireReadable(value);
        byte[] encoded = written(value, gapBytes);
        requireSame(value, encoded, gapBytes);
        return encoded;
    }

    private byte[] written(Object value, int gapBytes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[gapBytes]);
        try {
            mapping.write(value, bytes);
        } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
            requireAllowed(value);
            throw refusalIn(e).orElseGet(() -> ClassRefusal.of(NAME, value.getClass(), "has no JSON", e));
        }
        return bytes.toByteArray();
    }

    /** Decodes the written value: JSON omits much of a value, and otherwise only a reader would notice the loss. */
    private void requireSame(Object value, byte[] encoded, int gapBytes) {
        Object read;
        try {
            read = Objects.requireNonNull(mapping.read(encoded, gapBytes, encoded.length - gapBytes), "null");
        } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
            throw refusalIn(e)
                    .orElseGet(() -> ClassRefusal.of(NAME, value.getClass(), "has JSON that cannot be read again", e));
        }
        Optional<String> lost = LostTypes.between(value, read);
        if (lost.isPresent()) {
            throw ClassRefusal.of(
                    NAME, value.getClass(), lost.get() + ": declare that class, or use @JsonTypeInfo there");
        }
        if (!read.equals(value) && !Arrays.equals(sorted(encoded, gapBytes), sorted(written(read, 0), 0))) {
            throw ClassRefusal.of(
                    NAME,
                    value.getClass(),
                    "would be read as another value: some of its properties are written and not read, or in another form");
        }
    }

    /** Sorts the bytes to compare them without the order of sets, which reading does not keep. */
    private static byte[] sorted(byte[] json, int offset) {
        byte[] sorted = Arrays.copyOfRange(json, offset, json.length);
        Arrays.sort(sorted);
        return sorted;
    }

    private void requireReadable(Object value) {
        Class<?> valueClass = classOf(value);
        if (mapping.namesSubtypes()) {
            if (!allowed.test(valueClass.getName())) {
                requireAllowed(value);
            }
            if (mapping.namesClasses()) {
                seen.require(valueClass);
            }
        } else if (valueClass != type) {
            throw ClassRefusal.of(
                    NAME,
                    valueClass,
                    "would be read as %s: its JSON does not name the class; use @JsonTypeInfo"
                            .formatted(type.getName()));
        }
    }

    private static Class<?> classOf(Object value) {
        return value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
    }

    /** Throws one exception that names all classes of the value that are not allowed. */
    private void requireAllowed(Object value) {
        Set<String> notAllowed = JsonTypeNames.notAllowedIn(() -> {
            mapping.write(value, OutputStream.nullOutputStream());
            return value;
        });
        String name = classOf(value).getName();
        if (mapping.namesSubtypes() && !allowed.test(name)) {
            notAllowed.add(name);
        }
        if (!notAllowed.isEmpty()) {
            throw ClassRefusal.notAllowed(NAME, notAllowed);
        }
    }

    /**
     * Throws {@code CodecException} if the bytes name a class that is not allowed.
     * @throws IllegalArgumentException if they are not JSON of the type
     */
    @Override
    public Object decode(byte[] bytes, int offset, int length) {
        try {
            return Objects.requireNonNull(mapping.read(bytes, offset, length), "null");
        } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
            throw refusalIn(e)
                    .<RuntimeException>map(refusal -> refusal)
                    .orElseGet(() -> new IllegalArgumentException(
                            "Codec %s: the bytes are not a value of type %s".formatted(NAME, type.getName()), e));
        }
    }

    /** Jackson wraps exceptions of reading and writing. */
    private static Optional<CodecException> refusalIn(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CodecException refusal) {
                return Optional.of(refusal);
            }
        }
        return Optional.empty();
    }
}
