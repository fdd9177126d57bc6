// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DatabindContext;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.PolymorphicTypeValidator;
import com.fasterxml.jackson.databind.jsontype.TypeIdResolver;
import com.fasterxml.jackson.databind.jsontype.TypeResolverBuilder;
import com.fasterxml.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import io.keyslot.client.codec.JsonMappings.JsonMapping;
import io.keyslot.client.codec.JsonTypeNames.AllowedLoader;
import io.keyslot.client.codec.graph.AllowedClasses;
import io.keyslot.client.codec.graph.ClassRefusal;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** JSON by Jackson 2, with the modules on the class path, in the same form as {@link Jackson3}. */
record Jackson2(
        ObjectWriter writer, ObjectReader reader, @Nullable JsonTypeInfo subtypes) implements JsonMapping {

    static Jackson2 of(Class<?> type, AllowedClasses allowed, ClassLoader loader) {
        JsonTypeNames named = new JsonTypeNames(allowed, loader);
        JsonMapper.Builder builder = JsonMapper.builder(JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(Integer.MAX_VALUE) // values have their own limit
                        .build())
                .build());
        writtenAsByJackson3().forEach(builder::enable);
        ObjectMapper mapper = builder.annotationIntrospector(new Names(named)) // before modules, which may add theirs
                .addModule(texts()) // same reason
                .addModules(ObjectMapper.findModules(loader))
                .addModule(classes(named))
                .polymorphicTypeValidator(new Allowed(allowed))
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
                .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
                .build();
        mapper.setTypeFactory(mapper.getTypeFactory().withClassLoader(new AllowedLoader(named, loader)));
        JavaType wanted = mapper.constructType(type);
        JsonTypeInfo subtypes = mapper.getDeserializationConfig()
                .introspectClassAnnotations(wanted)
                .getClassAnnotations()
                .get(JsonTypeInfo.class);
        return new Jackson2(mapper.writerFor(wanted), mapper.readerFor(wanted), subtypes);
    }

    /** Older versions than 2.18 lack the feature and escape characters above U+FFFF, which reads the same. */
    private static List<JsonWriteFeature> writtenAsByJackson3() {
        return Arrays.stream(JsonWriteFeature.values())
                .filter(feature -> feature.name().equals("COMBINE_UNICODE_SURROGATES_IN_UTF8"))
                .toList();
    }

    @Override
    public void write(Object value, OutputStream target) throws IOException {
        writer.writeValue(target, value);
    }

    @Override
    public @Nullable Object read(byte[] bytes, int offset, int length) throws IOException {
        return reader.readValue(bytes, offset, length);
    }

    private static final class Allowed extends PolymorphicTypeValidator.Base {
        private static final long serialVersionUID = 1L;

        private final transient AllowedClasses allowed;

        Allowed(AllowedClasses allowed) {
            this.allowed = allowed;
        }

        @Override
        public Validity validateSubClassName(MapperConfig<?> config, JavaType baseType, String className) {
            if (!allowed.test(className)) {
                throw ClassRefusal.notAllowed("json", className);
            }
            return Validity.ALLOWED;
        }
    }

    /** Registers each {@link LocalText}, as a value and as a key of a map. */
    private static SimpleModule texts() {
        SimpleModule module = new SimpleModule("keyslot-texts");
        LocalText.ALL.forEach(text -> add(text, module));
        return module;
    }

    private static <T> void add(LocalText<T> text, SimpleModule module) {
        module.addSerializer(text.type(), new Written<>(text.type(), text.write(), false))
                .addKeySerializer(text.type(), new Written<>(text.type(), text.write(), true))
                .addDeserializer(text.type(), new Read<>(text))
                .addKeyDeserializer(text.type(), new ReadKey(text));
    }

    /** Refuses to write a {@link Class} that would not be read. The form is Jackson's. */
    private static SimpleModule classes(JsonTypeNames named) {
        return new SimpleModule("keyslot-classes")
                .addSerializer(Class.class, new Written<>(Class.class, named::written, false))
                .addKeySerializer(Class.class, new Written<>(Class.class, named::written, true));
    }

    private static final class Written<T> extends StdScalarSerializer<T> {
        private static final long serialVersionUID = 1L;

        private final transient Function<T, String> text;
        private final boolean isKey;

        Written(Class<T> type, Function<T, String> text, boolean isKey) {
            super(type);
            this.text = text;
            this.isKey = isKey;
        }

        @Override
        public void serialize(T value, JsonGenerator json, SerializerProvider context) throws IOException {
            String written = text.apply(value);
            if (isKey) {
                json.writeFieldName(written);
            } else {
                json.writeString(written);
            }
        }
    }

    private static final class Read<T> extends FromStringDeserializer<T> {
        private static final long serialVersionUID = 1L;

        private final transient LocalText<T> text;

        Read(LocalText<T> text) {
            super(text.type());
            this.text = text;
        }

        @Override
        protected T _deserialize(String value, DeserializationContext context) {
            return text.read().apply(value);
        }
    }

    private static final class ReadKey extends KeyDeserializer {
        private final LocalText<?> text;

        ReadKey(LocalText<?> text) {
            this.text = text;
        }

        @Override
        public Object deserializeKey(String key, DeserializationContext context) {
            return text.read().apply(key);
        }
    }

    /** The annotations of Jackson 2, with a check of each class name that {@code @JsonTypeInfo} puts into JSON. */
    private static final class Names extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        private final transient JsonTypeNames named;

        Names(JsonTypeNames named) {
            this.named = named;
        }

        @Override
        protected TypeResolverBuilder<?> _constructStdTypeResolverBuilder(
                MapperConfig<?> config, JsonTypeInfo.Value settings, JavaType baseType) {
            return JsonMapping.isOfClasses(settings.getIdType())
                    ? new Builder(settings, named)
                    : super._constructStdTypeResolverBuilder(config, settings, baseType);
        }
    }

    private static final class Builder extends StdTypeResolverBuilder {
        private final JsonTypeNames named;

        Builder(JsonTypeInfo.Value settings, JsonTypeNames named) {
            super(settings);
            this.named = named;
        }

        private Builder(Builder base, Class<?> defaultImpl) {
            super(base, defaultImpl);
            this.named = base.named;
        }

        @Override
        public StdTypeResolverBuilder withDefaultImpl(Class<?> defaultImpl) {
            return new Builder(this, defaultImpl);
        }

        @Override
        protected TypeIdResolver idResolver(
                MapperConfig<?> config,
                JavaType baseType,
                PolymorphicTypeValidator validator,
                Collection<NamedType> subtypes,
                boolean forSer,
                boolean forDeser) {
            return new Checked(super.idResolver(config, baseType, validator, subtypes, forSer, forDeser), named);
        }
    }

    private record Checked(TypeIdResolver names, JsonTypeNames named) implements TypeIdResolver {
        @Override
        public void init(JavaType baseType) {
            names.init(baseType);
        }

        @Override
        public String idFromValue(Object value) {
            return named.written(names.idFromValue(value), value.getClass());
        }

        @Override
        public String idFromValueAndType(Object value, Class<?> type) {
            return named.written(names.idFromValueAndType(value, type), value == null ? type : value.getClass());
        }

        @Override
        public String idFromBaseType() {
            return names.idFromBaseType();
        }

        @Override
        public JavaType typeFromId(DatabindContext context, String id) throws IOException {
            return names.typeFromId(context, named.read(id));
        }

        @Override
        public String getDescForKnownTypeIds() {
            return names.getDescForKnownTypeIds();
        }

        @Override
        public JsonTypeInfo.Id getMechanism() {
            return names.getMechanism();
        }
    }
}
