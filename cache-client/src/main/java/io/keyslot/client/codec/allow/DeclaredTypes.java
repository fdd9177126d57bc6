// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.allow;

import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the application's classes that a declared type refers to. */
final class DeclaredTypes {
    private final Set<Class<?>> found = new LinkedHashSet<>();

    private DeclaredTypes() {}

    static Set<String> namesOf(Class<?>... roots) {
        DeclaredTypes types = new DeclaredTypes();
        for (Class<?> root : roots) {
            types.visit(root);
        }
        Set<String> names = new LinkedHashSet<>();
        types.found.forEach(type -> names.add(type.getName()));
        return names;
    }

    private void visit(@Nullable Type type) {
        if (type instanceof Class<?> raw) {
            visitClass(raw);
        } else if (type instanceof ParameterizedType generic) {
            visit(generic.getRawType());
            visitAll(generic.getActualTypeArguments());
        } else if (type instanceof GenericArrayType array) {
            visit(array.getGenericComponentType());
        } else if (type instanceof WildcardType wildcard) {
            visitAll(wildcard.getUpperBounds());
        } else if (type instanceof TypeVariable<?> variable && variable.getBounds()[0] instanceof Class<?> bound) {
            visitClass(bound);
        }
    }

    private void visitAll(Type[] types) {
        for (Type type : types) {
            visit(type);
        }
    }

    private void visitClass(Class<?> type) {
        if (type.isArray()) {
            visitClass(type.getComponentType());
            return;
        }
        if (type.isPrimitive() || KnownClasses.isJdk(type.getName()) || !found.add(type)) {
            return;
        }
        visit(type.getGenericSuperclass());
        if (type.isSealed()) {
            visitAll(type.getPermittedSubclasses());
        }
        for (Field field : type.getDeclaredFields()) {
            if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
                visit(field.getGenericType());
            }
        }
    }
}
