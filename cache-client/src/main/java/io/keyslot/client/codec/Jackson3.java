// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.keyslot.client.codec.JsonMappings.JsonMapping;
import io.keyslot.client.codec.JsonTypeNames.AllowedLoader;
import io.keyslot.client.codec.graph.AllowedClasses;
import io.keyslot.client.codec.graph.ClassRefusal;
import java.io.OutputStream;
import java.util.Collection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
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
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.deser.std.FromStringDeserializer;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;
import tools.jackson.databind.jsontype.TypeIdResolver;
import tools.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdScalarSerializer;
import tools.jackson.databind.type.TypeFactory;

/** JSON by Jackson 3, with the modules on the class path. */
record Jackson3(
        ObjectWriter writer, ObjectReader reader, @Nullable JsonTypeInfo subtypes) implements JsonMapping {

    static Jackson3 of(Class<?> type, AllowedClasses allowed, ClassLoader loader) {
        JsonTypeNames named = new JsonTypeNames(allowed, loader);
        JsonMapper mapper = JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxStringLength(Integer.MAX_VALUE) // values have their own limit
                                .build())
                        .build())
                .annotationIntrospector(new Names(named))
                .addModule(texts()) // before modules, which may have other forms
                .findAndAddModules(loader)
                .addModule(classes(named))
                .typeFactory(TypeFactory.createDefaultInstance().withClassLoader(new AllowedLoader(named, loader)))
                .polymorphicTypeValidator(new Allowed(allowed))
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
        JavaType wanted = mapper.constructType(type);
        JsonTypeInfo subtypes = mapper.deserializationConfig()
                .classIntrospectorInstance()
                .introspectClassAnnotations(wanted)
                .getAnnotation(JsonTypeInfo.class);
        return new Jackson3(mapper.writerFor(wanted), mapper.readerFor(wanted), subtypes);
    }

    @Override
    public void write(Object value, OutputStream target) {
        writer.writeValue(target, value);
    }

    @Override
    public @Nullable Object read(byte[] bytes, int offset, int length) {
        return reader.readValue(bytes, offset, length);
    }

    private static final class Allowed extends PolymorphicTypeValidator.Base {
        private static final long serialVersionUID = 1L;

        private final transient AllowedClasses allowed;

        Allowed(AllowedClasses allowed) {
            this.allowed = allowed;
        }

        @Override
        public Validity validateSubClassName(DatabindContext context, JavaType baseType, String className) {
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
        private final Function<T, String> text;
        private final boolean isKey;

        Written(Class<T> type, Function<T, String> text, boolean isKey) {
            super(type);
            this.text = text;
            this.isKey = isKey;
        }

        @Override
        public void serialize(T value, JsonGenerator json, SerializationContext context) {
            String written = text.apply(value);
            if (isKey) {
                json.writeName(written);
            } else {
                json.writeString(written);
            }
        }
    }

    private static final class Read<T> extends FromStringDeserializer<T> {
        private final LocalText<T> text;

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

    /** The annotations of Jackson 3, with a check of each class name that {@code @JsonTypeInfo} puts into JSON. */
    private static final class Names extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        private final transient JsonTypeNames named;

        Names(JsonTypeNames named) {
            this.named = named;
        }

        @Override
        public @Nullable Object findTypeResolverBuilder(MapperConfig<?> config, Annotated annotated) {
            Object own = super.findTypeResolverBuilder(config, annotated);
            JsonTypeInfo.Value settings = findPolymorphicTypeInfo(config, annotated);
            return own == null && settings != null && JsonMapping.isOfClasses(settings.getIdType())
                    ? new Builder(settings, named)
                    : own;
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
                DatabindContext context,
                JavaType baseType,
                PolymorphicTypeValidator validator,
                Collection<NamedType> subtypes,
                boolean forSer,
                boolean forDeser) {
            return new Checked(super.idResolver(context, baseType, validator, subtypes, forSer, forDeser), named);
        }
    }

    private record Checked(TypeIdResolver names, JsonTypeNames named) implements TypeIdResolver {
        @Override
        public void init(JavaType baseType) {
            names.init(baseType);
        }

        @Override
        public String idFromValue(DatabindContext context, Object value) {
            return named.written(names.idFromValue(context, value), value.getClass());
        }

        @Override
        public String idFromValueAndType(DatabindContext context, Object value, Class<?> type) {
            return named.written(
                    names.idFromValueAndType(context, value, type), value == null ? type : value.getClass());
        }

        @Override
        public String idFromBaseType(DatabindContext context) {
            return names.idFromBaseType(context);
        }

        @Override
        public JavaType typeFromId(DatabindContext context, String id) {
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
