// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.PolymorphicTypeValidator;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.io.OutputStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** JSON by Jackson 2 from 2.15 on, with the modules on the class path, in the same form as {@link Jackson3}. */
record Jackson2(
        ObjectWriter writer, ObjectReader reader, @Nullable JsonTypeInfo subtypes) implements JsonCodec.Mapping {

    static Jackson2 of(Class<?> type, AllowedClasses allowed, ClassLoader loader) {
        JsonMapper.Builder builder = JsonMapper.builder(JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(Integer.MAX_VALUE) // values have their own limit
                        .build())
                .build());
        Stream.of(JsonWriteFeature.values()) // before 2.18 the feature is missing
                .filter(feature -> feature.name().equals("COMBINE_UNICODE_SURROGATES_IN_UTF8"))
                .forEach(builder::enable);
        ObjectMapper mapper = builder.addModule(withoutLookups())
                .addModules(ObjectMapper.findModules(loader))
                .polymorphicTypeValidator(new AllowedSubtypes(allowed))
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
        ObjectMapper unused = mapper.setTypeFactory(
                mapper.getTypeFactory().withClassLoader(new JsonCodec.AllowedLoader(allowed, loader)));
        JavaType wanted = mapper.constructType(type);
        JsonTypeInfo subtypes = mapper.getDeserializationConfig()
                .introspectClassAnnotations(wanted)
                .getClassAnnotations()
                .get(JsonTypeInfo.class);
        return new Jackson2(mapper.writerFor(wanted), mapper.readerFor(wanted), subtypes);
    }

    @Override
    public void write(Object value, OutputStream target) throws IOException {
        writer.writeValue(target, value);
    }

    @Override
    public @Nullable Object read(byte[] bytes, int offset, int length) throws IOException {
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
        public Validity validateSubClassName(MapperConfig<?> config, JavaType baseType, String className) {
            if (!allowed.test(className)) {
                throw ClassRefusal.notAllowed(JsonCodec.NAME, className);
            }
            return Validity.ALLOWED;
        }
    }
}
