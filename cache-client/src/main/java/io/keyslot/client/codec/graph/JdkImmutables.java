// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.graph.Elements.Order;
import io.keyslot.client.codec.graph.Elements.Place;
import io.keyslot.client.codec.graph.GraphType.Sharing;
import io.keyslot.client.codec.graph.JdkTypes.Table;
import java.util.AbstractMap.SimpleEntry;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Small and immutable containers: {@code List.of}, {@code Arrays.asList}, {@code Map.entry}, {@code Optional}. The classes
 * of most are hidden in the JDK, so samples stand for them.
 */
@SuppressWarnings("NullAway") // Some of them take null, others refuse it; the signatures of the JDK do not say.
final class JdkImmutables {
    private JdkImmutables() {}

    static void addTo(Table table) {
        addFactories(table);
        addSmall(table);
        addEntries(table);
        table.add(
                36,
                new BuiltFrom<Optional<?>>(
                        1,
                        optional -> new @Nullable Object[] {optional.orElse(null)},
                        parts -> Optional.ofNullable(parts[0])),
                Sharing.BY_CONTENT,
                Optional.class);
        table.add(
                109,
                new BuiltFrom<AtomicReference<@Nullable Object>>(
                        1,
                        reference -> new @Nullable Object[] {reference.get()},
                        parts -> new AtomicReference<>(parts[0])),
                Sharing.BY_IDENTITY,
                AtomicReference.class);
    }

    private static void addFactories(Table table) {
        list(table, 74, Arrays::asList, Arrays.asList(1, 2));
        List<Integer> several = List.of(1, 2, 3);
        list(
                table,
                75,
                JdkImmutables::immutableList,
                several,
                List.of(),
                List.of(1),
                several.subList(1, 3),
                Stream.of(1, 2, 3).toList(),
                Collections.nCopies(2, 1));
        table.add(
                76,
                new BuiltCollection(Place.HASHED, Order.SORTED_IF_COMPARABLE, JdkImmutables::immutableSet),
                Sharing.BY_CONTENT,
                classesOf(Set.of(1, 2, 3), Set.of(), Set.of(1)));
        table.add(
                77,
                new BuiltMap(Order.SORTED_IF_COMPARABLE, Map::copyOf),
                Sharing.BY_CONTENT,
                classesOf(Map.of(1, 1, 2, 2), Map.of(), Map.of(1, 1)));
    }

    private static void addSmall(Table table) {
        JdkValues.singleton(table, 81, Collections::emptyList);
        JdkValues.singleton(table, 82, Collections::emptySet);
        JdkValues.singleton(table, 83, Collections::emptyMap);
        list(table, 84, elements -> Collections.singletonList(single(elements)), Collections.singletonList(1));
        table.add(
                85,
                new BuiltCollection(
                        Place.HASHED, Order.AS_ITERATED, elements -> Collections.singleton(single(elements))),
                Sharing.BY_CONTENT,
                classesOf(Collections.singleton(1)));
        table.add(
                86,
                new BuiltMap(Order.AS_ITERATED, JdkImmutables::singletonMap),
                Sharing.BY_CONTENT,
                classesOf(Collections.singletonMap(1, 1)));
    }

    private static void addEntries(Table table) {
        entry(table, 78, JdkImmutables::immutableEntry, Map.entry(1, 1));
        entry(table, 79, SimpleEntry::new, new SimpleEntry<>(1, 1));
        entry(table, 80, SimpleImmutableEntry::new, new SimpleImmutableEntry<>(1, 1));
    }

    private static void list(
            Table table, int number, Function<@Nullable Object[], Collection<?>> builder, Object... samples) {
        table.add(
                number,
                new BuiltCollection(Place.ORDERED, Order.AS_ITERATED, builder),
                Sharing.BY_CONTENT,
                classesOf(samples));
    }

    private static void entry(
            Table table,
            int number,
            BiFunction<@Nullable Object, @Nullable Object, Map.Entry<?, ?>> builder,
            Object sample) {
        table.add(
                number,
                new BuiltFrom<Map.Entry<?, ?>>(
                        2,
                        entry -> new @Nullable Object[] {entry.getKey(), entry.getValue()},
                        parts -> builder.apply(parts[0], parts[1])),
                Sharing.BY_CONTENT,
                classesOf(sample));
    }

    static Class<?>[] classesOf(Object... samples) {
        return Arrays.stream(samples).map(Object::getClass).distinct().toArray(Class<?>[]::new);
    }

    /** {@code List.of} takes no null, {@code Stream.toList} does; their classes are the same. */
    private static List<?> immutableList(@Nullable Object[] elements) {
        return Arrays.stream(elements).allMatch(Objects::nonNull)
                ? List.of(elements)
                : Arrays.stream(elements).toList();
    }

    private static Set<?> immutableSet(@Nullable Object[] elements) {
        return Set.of(elements);
    }

    private static Map.Entry<?, ?> immutableEntry(@Nullable Object key, @Nullable Object value) {
        return Map.entry(key, value);
    }

    private static Map<@Nullable Object, @Nullable Object> singletonMap(
            Map<@Nullable Object, @Nullable Object> entries) {
        @Nullable Object key = single(entries.keySet().toArray());
        return Collections.singletonMap(key, entries.get(key));
    }

    private static @Nullable Object single(@Nullable Object[] elements) {
        if (elements.length != 1) {
            throw new IllegalArgumentException("a singleton has one element, not " + elements.length);
        }
        return elements[0];
    }
}
