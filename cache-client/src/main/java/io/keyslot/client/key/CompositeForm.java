// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.cache.GroupKey;
import io.keyslot.client.key.KeyForms.KeyForm;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The form of a key with items: a record, an array, an optional, or a list, set or map of any class. Whether the
 * {@code equals} of a class agrees with its items must be tested: the first key of a class is rebuilt and compared, and
 * so is every key with an array inside another key.
 *
 * @param types the declared types of the items; a row has a single type for all
 * @param sorted the number of items that are sorted as a unit, by their texts; 0 if the order of items matters
 * @param groupKeys the indexes of items with {@code @GroupKey}
 * @param proof whether the {@code equals} of the class is known to agree with the items
 */
record CompositeForm(
        String name,
        boolean isRow,
        List<Class<?>> types,
        int sorted,
        List<Integer> groupKeys,
        Function<Object, List<?>> splitter,
        Function<List<@Nullable Object>, Object> builder,
        AtomicBoolean proof)
        implements KeyForm {
    static final CompositeForm LIST = row("List", Object.class, 0, list -> (List<?>) list, items -> items);
    static final CompositeForm SET =
            row("Set", Object.class, 1, set -> new ArrayList<>((Set<?>) set), LinkedHashSet::new);
    static final CompositeForm MAP = row("Map", Object.class, 2, CompositeForm::pairs, CompositeForm::map);
    static final CompositeForm OPTIONAL = row(
            "Optional", Object.class, 0, some -> ((Optional<?>) some).stream().toList(), CompositeForm::optional);

    private static CompositeForm row(
            String name,
            Class<?> itemType,
            int sorted,
            Function<Object, List<?>> split,
            Function<List<@Nullable Object>, Object> build) {
        return new CompositeForm(
                name, true, List.of(itemType), sorted, List.of(), split, build, new AtomicBoolean(true));
    }

    /**
     * Returns the form of an array; {@code Arrays.equals} ignores the class, so all arrays of objects have one name.
     */
    static CompositeForm ofArray(Class<?> itemType) {
        boolean namesItems = !itemType.isPrimitive() && !itemType.isArray();
        return row(
                itemType.isPrimitive() ? itemType.getName() + "[]" : "Object[]",
                namesItems ? Object.class : itemType,
                0,
                array -> IntStream.range(0, Array.getLength(array))
                        .mapToObj(i -> Array.get(array, i))
                        .toList(),
                items -> array(itemType, items));
    }

    /** Returns the form of a record, which reads its fields, because its {@code equals} compares them. */
    static CompositeForm ofRecord(Class<?> type) {
        List<Field> fields = Arrays.stream(type.getRecordComponents())
                .map(component -> field(type, component.getName()))
                .toList();
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(
                    fields.stream().map(Field::getType).toArray(Class<?>[]::new));
            return ofFields(KeyForms.className(type), fields, constructor);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("Record " + type.getName() + " has no canonical constructor", e);
        }
    }

    /** Returns the form of a class whose constructor has a parameter for each of these fields. */
    static CompositeForm ofFields(String name, List<Field> fields, Constructor<?> constructor) {
        constructor.setAccessible(true);
        fields.forEach(field -> field.setAccessible(true));
        return new CompositeForm(
                name,
                false,
                fields.stream().<Class<?>>map(Field::getType).toList(),
                0,
                IntStream.range(0, fields.size())
                        .filter(i -> fields.get(i).isAnnotationPresent(GroupKey.class))
                        .boxed()
                        .toList(),
                owner -> values(fields, owner),
                items -> construct(constructor, items),
                new AtomicBoolean());
    }

    /** Returns the form of Spring's key, whose only field is the array of items. */
    static CompositeForm ofParameters(String name, Field field, Constructor<?> constructor) {
        constructor.setAccessible(true);
        field.setAccessible(true);
        return row(
                name,
                Object.class,
                0,
                owner -> Arrays.asList((@Nullable Object[]) get(field, owner)),
                items -> construct(constructor, Arrays.asList((Object) items.toArray())));
    }

    static Field field(Class<?> type, String name) {
        try {
            return type.getDeclaredField(name);
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("class %s has no field %s".formatted(type.getName(), name), e);
        }
    }

    @SuppressWarnings("NullAway") // Fields and elements of the list may be null.
    static Object get(Field field, Object owner) {
        try {
            return field.get(owner);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("Field " + field.getName() + " was made accessible", e);
        }
    }

    private static List<?> values(List<Field> fields, Object owner) {
        List<@Nullable Object> values = new ArrayList<>(fields.size());
        fields.forEach(field -> values.add(get(field, owner)));
        return values;
    }

    private static Object construct(Constructor<?> constructor, List<@Nullable Object> items) {
        Class<?>[] types = constructor.getParameterTypes();
        @Nullable Object[] arguments = items.toArray();
        for (int i = 0; i < types.length; i++) {
            if (arguments[i] == null && types[i].isPrimitive()) {
                throw new IllegalArgumentException("a component of a primitive type is missing");
            }
            if (types[i] == Set.class && arguments[i] instanceof Object[] array) { // Hibernate's query key
                arguments[i] = new LinkedHashSet<>(Arrays.asList(array));
            }
        }
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            String message = "class %s refused its components"
                    .formatted(constructor.getDeclaringClass().getName());
            throw new IllegalArgumentException(message, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Constructor was made accessible: " + constructor, e);
        }
    }

    private static Object array(Class<?> itemType, List<@Nullable Object> items) {
        Object array = Array.newInstance(itemType, items.size());
        for (int i = 0; i < items.size(); i++) {
            Array.set(array, i, items.get(i));
        }
        return array;
    }

    private static List<?> pairs(Object map) {
        List<@Nullable Object> pairs = new ArrayList<>();
        ((Map<?, ?>) map).forEach((key, value) -> {
            pairs.add(key);
            pairs.add(value);
        });
        return pairs;
    }

    private static Object map(List<@Nullable Object> pairs) {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            if (i + 1 == pairs.size()) {
                throw new IllegalArgumentException("a map in it has a key without a value");
            }
            map.put(pairs.get(i), pairs.get(i + 1));
        }
        return map;
    }

    private static Object optional(List<@Nullable Object> items) {
        Object content = items.isEmpty() ? null : items.get(0);
        if (items.size() > 1 || (items.size() == 1 && content == null)) {
            throw new IllegalArgumentException("an Optional in it has other items than one");
        }
        return Optional.ofNullable(content);
    }

    List<?> split(Object value) {
        return splitter.apply(value);
    }

    Object build(List<@Nullable Object> items) {
        return builder.apply(items);
    }

    Class<?> typeOf(int item) {
        return isRow ? types.get(0) : types.get(item);
    }

    /** Returns the index of the first item with {@code @GroupKey}; a key with several is refused when it is written. */
    int groupKey() {
        return groupKeys.get(0);
    }
}
