// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.failure.CodecException;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The classes that a codec may write, and may load because bytes name them. Immutable.
 *
 * <p>A pattern is a full class name, {@code com.acme.shop.*} for one package, or {@code com.acme.shop.**} with
 * subpackages. The value types of the JDK, and the classes that Spring Cache, Hibernate, Camel and Shiro cache, are
 * always allowed; {@code docs/values.md} lists them. An array is allowed if its element type is. Classes of the JDK, and of libraries known for deserialization gadgets, need their full name, not a
 * wildcard.
 */
public record AllowedClasses(boolean isEverything, Set<String> names, List<ClassPattern> wildcards)
        implements Predicate<String> {
    private static final int MAX_DIMENSIONS = 8;
    private static final String PRIMITIVES = "ZBCSIJFD";

    /** No other name is looked up: stored bytes must not choose a path. */
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_$-]+(\\.[\\p{L}\\p{N}_$-]+)*");

    private static final AllowedClasses EVERYTHING = new AllowedClasses(true, Set.of(), List.of());

    /** Allows every class: for bytes that never leave this process. */
    public static AllowedClasses everything() {
        return EVERYTHING;
    }

    /** Throws {@code IllegalArgumentException} listing all patterns that are malformed or too broad. */
    public static AllowedClasses of(Collection<String> patterns) {
        check(patterns);
        List<ClassPattern> wildcards = patterns.stream()
                .map(ClassPattern::new)
                .filter(ClassPattern::isWildcard)
                .toList();
        Set<String> names =
                patterns.stream().filter(pattern -> !pattern.endsWith("*")).collect(Collectors.toUnmodifiableSet());
        return new AllowedClasses(false, names, wildcards);
    }

    private static void check(Collection<String> patterns) {
        List<String> problems = patterns.stream()
                .map(ClassPattern::problemOf)
                .flatMap(Optional::stream)
                .toList();
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("codec.allow: " + String.join("; ", problems));
        }
    }

    /**
     * Allows the declared types as well, and recursively the declared types of their fields, the permitted subclasses
     * of sealed types and the type arguments of generic fields; not other subclasses.
     */
    public AllowedClasses with(Class<?>... declared) {
        if (isEverything) {
            return this;
        }
        Set<String> more = Stream.concat(
                        names.stream(), declaredIn(declared).stream().map(Class::getName))
                .collect(Collectors.toUnmodifiableSet());
        return new AllowedClasses(false, more, wildcards);
    }

    /** Returns whether the class of this name, as {@link Class#getName} gives it, is allowed. */
    @Override
    public boolean test(String className) {
        if (isEverything) {
            return true;
        }
        String element = elementOf(className);
        return element.isEmpty()
                || names.contains(element)
                || KnownClasses.isSafe(element)
                || (!KnownClasses.needsFullName(element)
                        && wildcards.stream().anyMatch(pattern -> pattern.matches(element)));
    }

    /**
     * Returns the name of the innermost element type of an array, empty for primitives; else the argument.
     *
     * @throws IllegalArgumentException if it begins like an array's name and is malformed
     */
    public static String elementOf(String className) {
        int dimensions = 0;
        while (dimensions < className.length() && className.charAt(dimensions) == '[') {
            dimensions++;
        }
        if (dimensions == 0) {
            return className;
        }
        String element = className.substring(dimensions);
        if (dimensions <= MAX_DIMENSIONS) {
            if (element.length() == 1 && PRIMITIVES.contains(element)) {
                return "";
            }
            if (element.length() > 2 && element.charAt(0) == 'L' && element.endsWith(";")) {
                return element.substring(1, element.length() - 1);
            }
        }
        throw new IllegalArgumentException("not the name of an array class of at most 8 dimensions");
    }

    /**
     * Returns the refusal of a class or array class that is not allowed.
     *
     * @throws ClassNotFoundException if the loader has no class of this name, so that allowing it would not help
     */
    public static CodecException refusalOf(String codec, String className, ClassLoader loader)
            throws ClassNotFoundException {
        String element = elementOf(className);
        if (!NAME.matcher(element).matches() || loader.getResource(element.replace('.', '/') + ".class") == null) {
            throw new ClassNotFoundException("A class is not known here");
        }
        return ClassRefusal.notAllowed(codec, element);
    }

    /** Returns the classes that are not of the JDK in declarations of these types and of their fields. */
    static Set<Class<?>> declaredIn(Type... declared) {
        DeclaredTypes types = new DeclaredTypes();
        types.visitAll(declared);
        return types.found;
    }

    /** Collects the application's classes that a declared type refers to. */
    private static final class DeclaredTypes {
        private final Set<Class<?>> found = new LinkedHashSet<>();

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
}
