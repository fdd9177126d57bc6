// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DatabindContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.PolymorphicTypeValidator;
import com.fasterxml.jackson.databind.jsontype.TypeIdResolver;
import com.fasterxml.jackson.databind.jsontype.TypeResolverBuilder;
import com.fasterxml.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** The annotations of Jackson 2, with a check of each class name that {@code @JsonTypeInfo} puts into JSON. */
final class Jackson2Names extends JacksonAnnotationIntrospector {
    static final Set<JsonTypeInfo.Id> NAMES_OF_CLASSES =
            EnumSet.of(JsonTypeInfo.Id.CLASS, JsonTypeInfo.Id.MINIMAL_CLASS);

    private static final long serialVersionUID = 1L;

    private final transient JsonTypeNames named;

    Jackson2Names(JsonTypeNames named) {
        this.named = named;
    }

    @Override
    protected TypeResolverBuilder<?> _constructStdTypeResolverBuilder(
            MapperConfig<?> config, JsonTypeInfo.Value settings, JavaType baseType) {
        return NAMES_OF_CLASSES.contains(settings.getIdType())
                ? new Builder(settings, named)
                : super._constructStdTypeResolverBuilder(config, settings, baseType);
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
