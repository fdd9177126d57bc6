// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;
import tools.jackson.databind.jsontype.TypeIdResolver;
import tools.jackson.databind.jsontype.impl.StdTypeResolverBuilder;

/** The annotations of Jackson 3, with a check of each class name that {@code @JsonTypeInfo} puts into JSON. */
final class Jackson3Names extends JacksonAnnotationIntrospector {
    static final Set<JsonTypeInfo.Id> NAMES_OF_CLASSES =
            EnumSet.of(JsonTypeInfo.Id.CLASS, JsonTypeInfo.Id.MINIMAL_CLASS);

    private static final long serialVersionUID = 1L;

    private final transient JsonTypeNames named;

    Jackson3Names(JsonTypeNames named) {
        this.named = named;
    }

    @Override
    public @Nullable Object findTypeResolverBuilder(MapperConfig<?> config, Annotated annotated) {
        Object own = super.findTypeResolverBuilder(config, annotated);
        JsonTypeInfo.Value settings = findPolymorphicTypeInfo(config, annotated);
        return own == null && settings != null && NAMES_OF_CLASSES.contains(settings.getIdType())
                ? new Builder(settings, named)
                : own;
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
