// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.OutputStream;
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

/** JSON by Jackson 3, with the modules on the class path. */
record Jackson3(
        ObjectWriter writer, ObjectReader reader, @Nullable JsonTypeInfo subtypes) implements JsonCodec.Mapping {

    static Jackson3 of(Class<?> type, AllowedClasses allowed, ClassLoader loader) {
        JsonMapper mapper = JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxStringLength(Integer.MAX_VALUE) // values have their own limit
                                .build())
                        .build())
                .addModule(withoutLookups())
                .findAndAddModules(loader)
                .typeFactory(TypeFactory.createDefaultInstance()
                        .withClassLoader(new JsonCodec.AllowedLoader(allowed, loader)))
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

    private static SimpleModule withoutLookups() {
        SimpleModule module = new SimpleModule("keyslot");
        JsonCodec.LOOKED_UP.forEach(type -> refuse(type, module));
        return module;
    }

    private static <T> void refuse(Class<T> type, SimpleModule module) {
        module.addDeserializer(type, new StdDeserializer<>(type) {
            @Override
            public T deserialize(JsonParser parser, DeserializationContext context) {
                throw JsonCodec.lookUp(type);
            }
        });
        module.addKeyDeserializer(type, new KeyDeserializer() {
            @Override
            public Object deserializeKey(String key, DeserializationContext context) {
                throw JsonCodec.lookUp(type);
            }
        });
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
                throw ClassRefusal.notAllowed(JsonCodec.NAME, className);
            }
            return Validity.ALLOWED;
        }
    }
}
