// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.codec.allow.ClassRefusal;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;
import tools.jackson.databind.type.TypeFactory;

/** JSON by Jackson 3, with the modules on the class path. */
final class Jackson3 implements JsonMapping {
    private final ObjectWriter writer;
    private final ObjectReader reader;
    private final boolean namesSubtypes;
    private final boolean namesClasses;

    Jackson3(Class<?> type, AllowedClasses allowed, ClassLoader loader) {
        JsonTypeNames named = new JsonTypeNames(allowed, loader);
        JsonMapper mapper = JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxStringLength(Integer.MAX_VALUE) // values have their own limit
                                .build())
                        .build())
                .annotationIntrospector(new Jackson3Names(named))
                .addModule(Jackson3Texts.module()) // before modules, which may have other forms
                .findAndAddModules(loader)
                .addModule(Jackson3Classes.module(named))
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
        this.writer = mapper.writerFor(wanted);
        this.reader = mapper.readerFor(wanted);
        JsonTypeInfo subtypes = mapper.deserializationConfig()
                .classIntrospectorInstance()
                .introspectClassAnnotations(wanted)
                .getAnnotation(JsonTypeInfo.class);
        this.namesSubtypes = subtypes != null;
        this.namesClasses = subtypes != null && Jackson3Names.NAMES_OF_CLASSES.contains(subtypes.use());
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
}
