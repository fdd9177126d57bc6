// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds where the class of a value that was read from JSON differs from the class that was written: a subclass in a
 * field of its parent's type, or a number or date in a field of type {@code Object}. Only elements of collections and
 * maps are compared.
 */
final class LostTypes {
    private static final int DEEPEST = 1_000; // deeper JSON is not read

    private static final ClassValue<List<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            List<Field> fields = new ArrayList<>();
            for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
                for (Field field : declaring.getDeclaredFields()) {
                    boolean isStored = (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0;
                    if (isStored && !field.getType().isPrimitive() && field.trySetAccessible()) {
                        fields.add(field);
                    }
                }
            }
            return List.copyOf(fields);
        }
    };

    private LostTypes() {}

    /** Returns the path in the value, and both classes; empty if all classes are the same. */
    static Optional<String> between(Object written, Object read) {
        return Optional.ofNullable(difference(written, read, "", 0));
    }

    private static @Nullable String difference(
            @Nullable Object written, @Nullable Object read, String path, int depth) {
        if (written == null || read == null || written == read || depth > DEEPEST) {
            return null; // a property that is not written may differ
        }
        if (written instanceof Map<?, ?> map && read instanceof Map<?, ?> other) {
            return ofMaps(map, other, path, depth);
        }
        if (written instanceof Set<?> && read instanceof Set<?>) {
            return written.equals(read) ? null : ofElements(classes(written), classes(read), path, depth);
        }
        if (written instanceof Collection<?> elements && read instanceof Collection<?> others) {
            return ofElements(elements, others, path, depth);
        }
        if (written instanceof Object[] elements && read instanceof Object[] others) {
            return ofElements(Arrays.asList(elements), Arrays.asList(others), path, depth);
        }
        if (written instanceof Optional<?> optional && read instanceof Optional<?> other) {
            return difference(optional.orElse(null), other.orElse(null), path, depth + 1);
        }
        Class<?> type = classOf(written);
        if (type != classOf(read)) {
            return written.equals(read)
                    ? null
                    : "%s is of %s and would be read as %s"
                            .formatted(
                                    path.isEmpty() ? "the value" : path.substring(1),
                                    type.getName(),
                                    classOf(read).getName());
        }
        return type.getName().startsWith("java.") ? null : ofFields(type, written, read, path, depth);
    }

    private static Class<?> classOf(Object value) {
        return value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
    }

    /** Returns the classes of a set's elements, sorted because the order of a set is lost. */
    private static List<String> classes(Object set) {
        return ((Set<?>) set)
                .stream()
                        .map(element -> element == null ? "" : classOf(element).getName())
                        .sorted()
                        .toList();
    }

    private static @Nullable String ofMaps(Map<?, ?> written, Map<?, ?> read, String path, int depth) {
        for (Map.Entry<?, ?> entry : written.entrySet()) {
            String at = path + ".*"; // keys are content
            Object key = entry.getKey();
            if (key != null && entry.getValue() != null && !read.containsKey(key)) {
                return "a key of %s is of %s and would be read as another class"
                        .formatted(
                                path.isEmpty() ? "the value" : path.substring(1),
                                classOf(key).getName());
            }
            String difference = key == null ? null : difference(entry.getValue(), read.get(key), at, depth + 1);
            if (difference != null) {
                return difference;
            }
        }
        return null;
    }

    private static @Nullable String ofElements(Collection<?> written, Collection<?> read, String path, int depth) {
        Iterator<?> others = read.iterator();
        int index = 0;
        for (Object element : written) {
            String difference = others.hasNext()
                    ? difference(element, others.next(), "%s[%d]".formatted(path, index++), depth + 1)
                    : null;
            if (difference != null) {
                return difference;
            }
        }
        return null;
    }

    private static @Nullable String ofFields(Class<?> type, Object written, Object read, String path, int depth) {
        for (Field field : FIELDS.get(type)) {
            try {
                String difference =
                        difference(field.get(written), field.get(read), path + "." + field.getName(), depth + 1);
                if (difference != null) {
                    return difference;
                }
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e); // it was made accessible
            }
        }
        return null;
    }
}
