// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.keyslot.cache.GroupKey;
import io.keyslot.slot.KeyText;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The forms of keys by class, as far as they do not depend on the cache; {@link KeyClasses} has the others. */
final class KeyForms {
    /** The placeholder for the form of unknown classes. */
    static final ScalarForm OTHER = ScalarForm.refused("", "it has no form");

    private static final String RESERVED_IN_NAMES = ",():";

    /**
     * Keys of libraries: their fields, in the order of a constructor's parameters. By name: they are no dependencies.
     */
    private static final List<Library> LIBRARIES = List.of(
            new Library("SimpleKey", "org.springframework.cache.interceptor.SimpleKey", "params"),
            new Library(
                    KeyLayout.HIBERNATE_KEY,
                    "org.hibernate.cache.internal.BasicCacheKeyImplementation",
                    "id",
                    "entityOrRoleName",
                    "hashCode"),
            new Library(
                    "HibernateTenantKey",
                    "org.hibernate.cache.internal.CacheKeyImplementation",
                    "id",
                    "entityOrRoleName",
                    "tenantId",
                    "hashCode"),
            new Library(
                    "HibernateNaturalId",
                    "org.hibernate.cache.internal.NaturalIdCacheKey",
                    "naturalIdValues",
                    "entityName",
                    "tenantId",
                    "hashCode"),
            new Library(
                    "HibernateQuery",
                    "org.hibernate.cache.spi.QueryKey",
                    "sqlQueryString",
                    "parameterBindingsMemento",
                    "firstRow",
                    "maxRows",
                    "enabledFilterNames"),
            new Library(
                    "HibernateParameters",
                    "org.hibernate.query.internal.QueryParameterBindingsImpl$ParameterBindingsMementoImpl",
                    "values",
                    "hashCode"));

    private static final Map<String, CompositeForm> ROWS = Stream.concat(
                    Stream.of(CompositeForm.LIST, CompositeForm.SET, CompositeForm.MAP, CompositeForm.OPTIONAL),
                    Stream.of(
                                    Object.class,
                                    long.class,
                                    int.class,
                                    short.class,
                                    char.class,
                                    boolean.class,
                                    double.class,
                                    float.class)
                            .map(CompositeForm::ofArray))
            .collect(toUnmodifiableMap(CompositeForm::name, form -> form));

    private static final ClassValue<KeyForm> BY_CLASS = new ClassValue<>() {
        @Override
        protected KeyForm computeValue(Class<?> type) {
            return create(type);
        }
    };

    private KeyForms() {}

    private record Library(
            String formName,
            String className,
            @SuppressWarnings("ArrayRecordComponent") String... fields) {
        KeyForm form(Class<?> type) {
            Optional<Constructor<?>> constructor = Arrays.stream(type.getDeclaredConstructors())
                    .filter(candidate -> candidate.getParameterCount() == fields.length)
                    .findFirst();
            boolean hasFields = Arrays.stream(type.getDeclaredFields())
                    .map(Field::getName)
                    .toList()
                    .containsAll(List.of(fields));
            if (constructor.isEmpty() || !hasFields) {
                return OTHER; // another version of the library
            }
            List<Field> all = Arrays.stream(fields)
                    .map(field -> CompositeForm.field(type, field))
                    .toList();
            return all.size() == 1
                    ? CompositeForm.ofParameters(formName, all.get(0), constructor.get())
                    : CompositeForm.ofFields(formName, all, constructor.get());
        }
    }

    static KeyForm of(Class<?> type) {
        return BY_CLASS.get(type);
    }

    /** Returns the form with this short name; null if it is unknown, and may be the name of a class. */
    static @Nullable KeyForm wellKnown(String name) {
        KeyForm scalar = ScalarForm.named(name);
        return scalar == null ? ROWS.get(name) : scalar;
    }

    static @Nullable String libraryClass(String name) {
        return LIBRARIES.stream()
                .filter(library -> library.formName().equals(name))
                .map(Library::className)
                .findFirst()
                .orElse(null);
    }

    /** Returns whether a library created the key, which then may have another class than the declared one. */
    static boolean isSimpleKey(Object key) {
        return key.getClass().getName().equals(LIBRARIES.get(0).className());
    }

    /** Returns the form of all values of a declared type; null if there may be several, which must be named. */
    static @Nullable KeyForm only(Class<?> declared) {
        if (declared.isArray() && declared != byte[].class) {
            return CompositeForm.ofArray(declared.getComponentType());
        }
        if (isButNotFrom(declared, List.class, ArrayList.class)
                || isButNotFrom(declared, Set.class, LinkedHashSet.class)
                || isButNotFrom(declared, Map.class, LinkedHashMap.class)) {
            String name = of(declared).name();
            return ScalarForm.refused(
                    name,
                    "it is declared as %s, which is not rebuilt; declare it as java.util.%s, which it is equal to"
                            .formatted(declared.getName(), name));
        }
        if (declared.isPrimitive() || declared.isEnum() || Modifier.isFinal(declared.getModifiers())) {
            return of(MethodType.methodType(declared).wrap().returnType());
        }
        return null;
    }

    private static boolean isButNotFrom(Class<?> declared, Class<?> kind, Class<?> rebuilt) {
        return kind.isAssignableFrom(declared) && !declared.isAssignableFrom(rebuilt);
    }

    /**
     * Returns the form whose name is omitted in keys of a cache: that of the declared type, or that of strings if the
     * declared type has no instances of its own; else null.
     */
    static @Nullable KeyForm ofCache(Class<?> declared) {
        KeyForm only = only(declared);
        if (only != null) {
            return only;
        }
        if (declared != Object.class && !Modifier.isAbstract(declared.getModifiers())) {
            return of(declared);
        }
        return declared.isAssignableFrom(String.class) ? ScalarForm.STRING : null;
    }

    static List<Field> groupKeys(Class<?> type) {
        List<Field> found = new ArrayList<>();
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            Arrays.stream(owner.getDeclaredFields())
                    .filter(field -> field.isAnnotationPresent(GroupKey.class))
                    .forEach(found::add);
        }
        return found;
    }

    /** Returns whether a form belongs to one class of the application. */
    static boolean isOfOneClass(KeyForm form) {
        return form.name().indexOf('.') >= 0;
    }

    /** Returns the class name for a form's name from {@link #className}. */
    static String classNameOf(String formName) {
        String unescaped = KeyText.unescape(formName);
        boolean isInDefaultPackage = unescaped.lastIndexOf('.') == 0;
        return isInDefaultPackage ? unescaped.substring(1) : unescaped;
    }

    /** Returns the name of a form that belongs to one class. It has a dot, even if the class is in no package. */
    static String className(Class<?> type) {
        String escaped = KeyText.escapeId(type.getName(), RESERVED_IN_NAMES);
        return escaped.indexOf('.') < 0 ? "." + escaped : escaped;
    }

    private static KeyForm create(Class<?> type) {
        KeyForm scalar = ScalarForm.ofJdk(type);
        if (scalar != null) {
            return scalar;
        } else if (List.class.isAssignableFrom(type)) {
            return CompositeForm.LIST;
        } else if (Set.class.isAssignableFrom(type)) {
            return CompositeForm.SET;
        } else if (Map.class.isAssignableFrom(type)) {
            return CompositeForm.MAP;
        } else if (type == Optional.class) {
            return CompositeForm.OPTIONAL;
        } else if (type.isArray()) {
            Class<?> item = type.getComponentType().isPrimitive() ? type.getComponentType() : Object.class;
            return CompositeForm.ofArray(item);
        } else if (Enum.class.isAssignableFrom(type) && type != Enum.class) {
            // A constant with a body is an instance of a class of its own.
            return ScalarForm.ofEnum(type.isEnum() ? type : type.getSuperclass());
        } else if (ZoneId.class.isAssignableFrom(type)) {
            return ScalarForm.ZONE_ID;
        }
        try {
            for (Library library : LIBRARIES) {
                if (library.className().equals(type.getName())) {
                    return library.form(type);
                }
            }
            return type.isRecord() && !type.isHidden() ? CompositeForm.ofRecord(type) : OTHER;
        } catch (InaccessibleObjectException e) {
            return ScalarForm.refused(
                    className(type),
                    "the package of class %s must be open to the module io.keyslot.client".formatted(type.getName()));
        }
    }

    /** The text form of one kind of keys. Its exceptions name classes, and never contain key content. */
    sealed interface KeyForm permits ScalarForm, CompositeForm {
        /** Returns the unique name: without a dot for well-known classes, otherwise the escaped class name, with a dot. */
        String name();
    }
}
