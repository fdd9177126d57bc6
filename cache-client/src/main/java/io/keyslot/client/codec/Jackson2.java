// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.PolymorphicTypeValidator;
import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.codec.allow.ClassRefusal;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON by Jackson 2, with the modules on the class path, in the same form as {@link Jackson3}. */
final class Jackson2 implements JsonMapping {
    private final ObjectWriter writer;
    private final ObjectReader reader;
    private final boolean namesSubtypes;
    private final boolean namesClasses;

    Jackson2(Class<?> type, AllowedClasses allowed, ClassLoader loader) {
        JsonTypeNames named = new JsonTypeNames(allowed, loader);
        JsonMapper.Builder builder = JsonMapper.builder(JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(Integer.MAX_VALUE) // values have their own limit
                        .build())
                .build());
        writtenAsByJackson3().forEach(builder::enable);
        ObjectMapper mapper = builder.annotationIntrospector(
                        new Jackson2Names(named)) // before modules, which may add theirs
                .addModule(Jackson2Texts.module()) // same reason
                .addModules(ObjectMapper.findModules(loader))
                .addModule(Jackson2Classes.module(named))
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
        this.writer = mapper.writerFor(wanted);
        this.reader = mapper.readerFor(wanted);
        JsonTypeInfo subtypes = mapper.getDeserializationConfig()
                .introspectClassAnnotations(wanted)
                .getClassAnnotations()
                .get(JsonTypeInfo.class);
        this.namesSubtypes = subtypes != null;
        this.namesClasses = subtypes != null && Jackson2Names.NAMES_OF_CLASSES.contains(subtypes.use());
    }

    /** Older versions than 2.18 lack the feature and escape characters above U+FFFF, which reads the same. */
    private static List<JsonWriteFeature> writtenAsByJackson3() {
        return Arrays.stream(JsonWriteFeature.values())
                .filter(feature -> feature.name().equals("COMBINE_UNICODE_SURROGATES_IN_UTF8"))
                .toList();
    }

    @Override
    public boolean namesSubtypes() {
        return namesSubtypes;
    }

    @Override
    public boolean namesClasses() {
        return namesClasses;
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
}
