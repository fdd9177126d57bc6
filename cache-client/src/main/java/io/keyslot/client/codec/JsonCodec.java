// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.keyslot.cache.failure.CodecException;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.TypeFactory;

/**
 * JSON by Jackson 3, for values that other programs read. The cache's value type decides which class is read: JSON names
 * a class only where {@code @JsonTypeInfo} asks for it, and only one of the allow list. Safe for use by several threads.
 *
 * <p>Refuses types and values that could not be read again, such as a subclass, number or date in a field whose type
 * does not identify it; so each encoded value is decoded. Unknown properties are ignored, missing ones null or zero.
 */
record JsonCodec(Class<?> type, ObjectWriter writer, ObjectReader reader, ClassLoader loader)
        implements ArrayCodec<Object> {
    static final String NAME = "json";

    /** Throws {@code IllegalArgumentException} if JSON does not identify the type of the values. */
    static JsonCodec create(Class<?> type, AllowedClasses allowed, ClassLoader loader) {
        JsonMapper mapper = mapper(allowed, loader);
        JavaType wanted = mapper.constructType(type);
        JsonTypeInfo subtypes = mapper.deserializationConfig()
                .classIntrospectorInstance()
                .introspectClassAnnotations(wanted)
                .getAnnotation(JsonTypeInfo.class);
        String problem = subtypes == null ? problemOf(type) : null;
        if (problem != null) {
            throw new IllegalArgumentException(
                    "codec is 'json', and the values are of type %s: %s".formatted(type.getTypeName(), problem));
        }
        return new JsonCodec(type, mapper.writerFor(wanted), mapper.readerFor(wanted), loader);
    }

    private static JsonMapper mapper(AllowedClasses allowed, ClassLoader loader) {
        return JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxStringLength(Integer.MAX_VALUE) // values have their own limit
                                .build())
                        .build())
                .addModule(withoutLookups())
                .findAndAddModules(loader)
                .typeFactory(TypeFactory.createDefaultInstance().withClassLoader(new AllowedLoader(allowed, loader)))
                .polymorphicTypeValidator(new AllowedSubtypes(allowed))
                .disable(EnumFeature.READ_ENUMS_USING_TO_STRING)
                .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
                .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                .build();
    }

    /** Refuses the types that Jackson reads with a look-up: of a host name, a protocol handler or a file system. */
    private static SimpleModule withoutLookups() {
        SimpleModule module = new SimpleModule("keyslot");
        refuse(InetAddress.class, "use its text", module);
        refuse(InetSocketAddress.class, "use its text", module);
        refuse(Path.class, "use its text", module);
        refuse(URL.class, "use java.net.URI", module);
        return module;
    }

    private static <T> void refuse(Class<T> type, String advice, SimpleModule module) {
        String reason = "is not supported, as reading it asks others: " + advice;
        module.addDeserializer(type, new StdDeserializer<>(type) {
            @Override
            public T deserialize(JsonParser parser, DeserializationContext context) {
                throw ClassRefusal.of(NAME, type, reason);
            }
        });
        module.addKeyDeserializer(type, new KeyDeserializer() {
            @Override
            public Object deserializeKey(String key, DeserializationContext context) {
                throw ClassRefusal.of(NAME, type, reason);
            }
        });
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
            writer.writeValue(bytes, value);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            throw refusalIn(e).orElseGet(() -> ClassRefusal.of(NAME, value.getClass(), "has no JSON", e));
        }
        return bytes.toByteArray();
    }

    /** Decodes the written value: JSON omits much of a value, and otherwise only a reader would notice the loss. */
    private void requireSame(Object value, byte[] encoded, int gapBytes) {
        Object read;
        try {
            read = Objects.requireNonNull(reader.readValue(encoded, gapBytes, encoded.length - gapBytes), "null");
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
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
            return Objects.requireNonNull(reader.readValue(bytes, offset, length), "null");
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
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

    private static final class AllowedSubtypes extends PolymorphicTypeValidator.Base {
        private static final long serialVersionUID = 1L;

        private final transient AllowedClasses allowed;

        AllowedSubtypes(AllowedClasses allowed) {
            this.allowed = allowed;
        }

        @Override
        public Validity validateSubClassName(DatabindContext context, JavaType baseType, String className) {
            if (!allowed.test(className)) {
                throw ClassRefusal.notAllowed(NAME, className);
            }
            return Validity.ALLOWED;
        }
    }

    /**
     * Resolves all class names in JSON for Jackson's type factory: of subtypes, their type arguments, {@link Class}
     * values and modules. Refuses a class that is not allowed before it is loaded.
     */
    private static final class AllowedLoader extends ClassLoader {
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
