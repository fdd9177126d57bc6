// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.keyslot.cache.failure.CodecException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * JSON by Jackson, for values that other programs read. The cache's value type decides which class is read: JSON names
 * a class only where {@code @JsonTypeInfo} asks for it, and only one of the allow list. Safe for use by several threads.
 *
 * <p>Refuses types and values that could not be read again, such as a subclass, number or date in a field whose type
 * does not identify it; so each encoded value is decoded. Unknown properties are ignored, missing ones null or zero.
 */
record JsonCodec(Class<?> type, Mapping mapping, ClassLoader loader) implements ArrayCodec<Object> {
    static final String NAME = "json";

    /** Types that Jackson reads with a look-up. */
    static final List<Class<?>> LOOKED_UP = List.of(InetAddress.class, InetSocketAddress.class, Path.class, URL.class);

    /** A mapper of one type. */
    interface Mapping {
        void write(Object value, OutputStream target) throws IOException;

        @Nullable
        Object read(byte[] bytes, int offset, int length) throws IOException;

        /** Returns the annotation of the type, by which its JSON names subtypes. */
        @Nullable
        JsonTypeInfo subtypes();
    }

    /** The versions of Jackson. Both write the same bytes. */
    enum Library {
        JACKSON_3("tools.jackson.databind.json.JsonMapper"),
        JACKSON_2("com.fasterxml.jackson.databind.json.JsonMapper");

        private final String mapper;

        Library(String mapper) {
            this.mapper = mapper;
        }

        private boolean isPresent() {
            try {
                Class<?> unused = Class.forName(mapper, false, JsonCodec.class.getClassLoader());
                return true;
            } catch (ClassNotFoundException absent) {
                return false;
            }
        }

        private Mapping mapping(Class<?> type, AllowedClasses allowed, ClassLoader loader) {
            return this == JACKSON_3 ? Jackson3.of(type, allowed, loader) : Jackson2.of(type, allowed, loader);
        }
    }

    /** Throws {@code IllegalArgumentException} if JSON does not identify the type of the values, or there is no Jackson. */
    static JsonCodec create(Class<?> type, AllowedClasses allowed, ClassLoader loader) {
        Library library = Stream.of(Library.values())
                .filter(Library::isPresent)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("codec is 'json', which needs Jackson: add"
                        + " tools.jackson.core:jackson-databind or com.fasterxml.jackson.core:jackson-databind"));
        return create(library, type, allowed, loader);
    }

    static JsonCodec create(Library library, Class<?> type, AllowedClasses allowed, ClassLoader loader) {
        Mapping mapping = library.mapping(type, allowed, loader);
        String problem = mapping.subtypes() == null ? problemOf(type) : null;
        if (problem != null) {
            throw new IllegalArgumentException(
                    "codec is 'json', and the values are of type %s: %s".formatted(type.getTypeName(), problem));
        }
        return new JsonCodec(type, mapping, loader);
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
        boolean isOfOtherLoader = read.getClass() != value.getClass()
                && read.getClass().getName().equals(value.getClass().getName());
        if (isOfOtherLoader) {
            throw ClassRefusal.notSeen(NAME, value.getClass(), loader);
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

    /** Returns an exception for a type that Jackson reads with a look-up: of a name, a protocol handler, a file system. */
    static CodecException lookUp(Class<?> type) {
        String advice = type == URL.class ? "use java.net.URI" : "use its text";
        return ClassRefusal.of(NAME, type, "is not supported, as reading it asks others: " + advice);
    }

    /**
     * Resolves all class names in JSON for Jackson's type factory: of subtypes, their type arguments, {@link Class}
     * values and modules. Refuses a class that is not allowed before it is loaded.
     */
    static final class AllowedLoader extends ClassLoader {
        private final AllowedClasses allowed;

        AllowedLoader(AllowedClasses allowed, ClassLoader loader) {
            super("names-in-json", loader);
            this.allowed = allowed;
        }

        /** Throws a LinkageError for refused classes: after an exception, Jackson would try its own class loader. */
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!allowed.test(name)) {
                throw new LinkageError("not loaded", ClassRefusal.notAllowed(NAME, name));
            }
            return getParent().loadClass(name);
        }
    }
}
