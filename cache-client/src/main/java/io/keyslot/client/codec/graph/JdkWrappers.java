// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import static io.keyslot.client.codec.graph.JdkImmutables.classesOf;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.client.codec.graph.Elements.Order;
import io.keyslot.client.codec.graph.Elements.Place;
import io.keyslot.client.codec.graph.GraphType.Sharing;
import io.keyslot.client.codec.graph.JdkTypes.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The unmodifiable and synchronized wrappers of {@code Collections}. A wrapper hides what it wraps; it comes back around
 * an ordinary collection with the same content, order and comparator.
 */
// Obsolete classes are values, too. The wrappers take null, which the signatures of the JDK do not say.
@SuppressWarnings({"JdkObsolete", "NullAway"})
final class JdkWrappers {
    private JdkWrappers() {}

    static void addTo(Table table) {
        addUnmodifiable(table);
        addSynchronized(table);
    }

    private static void addUnmodifiable(Table table) {
        list(
                table,
                87,
                e -> Collections.unmodifiableCollection(arrayList(e)),
                Collections.unmodifiableCollection(List.of()));
        list(
                table,
                88,
                e -> Collections.unmodifiableList(arrayList(e)),
                Collections.unmodifiableList(new ArrayList<>()),
                Collections.unmodifiableList(new LinkedList<>()));
        set(table, 89, e -> Collections.unmodifiableSet(hashSet(e)), Collections.unmodifiableSet(new TreeSet<>()));
        sortedSet(table, 90, Collections::unmodifiableSortedSet);
        sortedSet(table, 91, Collections::unmodifiableNavigableSet);
        table.add(
                92,
                new BuiltMap(Order.AS_ITERATED, Collections::unmodifiableMap),
                Sharing.BY_CONTENT,
                classesOf(Collections.unmodifiableMap(new TreeMap<>())));
        sortedMap(table, 93, Collections::unmodifiableSortedMap);
        sortedMap(table, 94, Collections::unmodifiableNavigableMap);
    }

    private static void addSynchronized(Table table) {
        list(
                table,
                95,
                e -> Collections.synchronizedCollection(arrayList(e)),
                Collections.synchronizedCollection(List.of()));
        list(
                table,
                96,
                e -> Collections.synchronizedList(arrayList(e)),
                Collections.synchronizedList(new ArrayList<>()),
                Collections.synchronizedList(new LinkedList<>()));
        set(table, 97, e -> Collections.synchronizedSet(hashSet(e)), Collections.synchronizedSet(new TreeSet<>()));
        sortedSet(table, 98, Collections::synchronizedSortedSet);
        sortedSet(table, 99, Collections::synchronizedNavigableSet);
        table.add(
                100,
                new BuiltMap(Order.AS_ITERATED, Collections::synchronizedMap),
                Sharing.BY_CONTENT,
                classesOf(Collections.synchronizedMap(new TreeMap<>())));
        sortedMap(table, 101, Collections::synchronizedSortedMap);
        sortedMap(table, 102, Collections::synchronizedNavigableMap);
    }

    private static void list(
            Table table, int number, Function<@Nullable Object[], Collection<?>> builder, Object... samples) {
        table.add(
                number,
                new BuiltCollection(Place.ORDERED, Order.AS_ITERATED, builder),
                Sharing.BY_CONTENT,
                classesOf(samples));
    }

    private static void set(
            Table table, int number, Function<@Nullable Object[], Collection<?>> builder, Object sample) {
        table.add(
                number,
                new BuiltCollection(Place.HASHED, Order.AS_ITERATED, builder),
                Sharing.BY_CONTENT,
                classesOf(sample));
    }

    private static void sortedSet(
            Table table, int number, Function<NavigableSet<@Nullable Object>, SortedSet<@Nullable Object>> wrap) {
        table.add(
                number,
                new BuiltFrom<SortedSet<@Nullable Object>>(
                        1, set -> new @Nullable Object[] {new TreeSet<>(set)}, parts -> wrap.apply(treeSet(parts[0]))),
                Sharing.BY_CONTENT,
                classesOf(wrap.apply(new TreeSet<>())));
    }

    private static void sortedMap(
            Table table,
            int number,
            Function<NavigableMap<@Nullable Object, @Nullable Object>, SortedMap<@Nullable Object, @Nullable Object>>
                    wrap) {
        table.add(
                number,
                new BuiltFrom<SortedMap<@Nullable Object, @Nullable Object>>(
                        1, map -> new @Nullable Object[] {new TreeMap<>(map)}, parts -> wrap.apply(treeMap(parts[0]))),
                Sharing.BY_CONTENT,
                classesOf(wrap.apply(new TreeMap<>())));
    }

    private static List<@Nullable Object> arrayList(@Nullable Object[] elements) {
        return new ArrayList<>(Arrays.asList(elements));
    }

    private static Set<@Nullable Object> hashSet(@Nullable Object[] elements) {
        return new LinkedHashSet<>(Arrays.asList(elements));
    }

    @SuppressWarnings("unchecked") // Anything may be in it.
    private static NavigableSet<@Nullable Object> treeSet(@Nullable Object part) {
        if (part instanceof TreeSet<?> set) {
            return (NavigableSet<@Nullable Object>) set;
        }
        throw new KryoException("A wrapper of a sorted set has no sorted set");
    }

    @SuppressWarnings("unchecked") // Anything may be in it.
    private static NavigableMap<@Nullable Object, @Nullable Object> treeMap(@Nullable Object part) {
        if (part instanceof TreeMap<?, ?> map) {
            return (NavigableMap<@Nullable Object, @Nullable Object>) map;
        }
        throw new KryoException("A wrapper of a sorted map has no sorted map");
    }
}
