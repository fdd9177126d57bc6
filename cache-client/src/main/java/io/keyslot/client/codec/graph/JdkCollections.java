// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.graph.Elements.Order;
import io.keyslot.client.codec.graph.Elements.Place;
import io.keyslot.client.codec.graph.GraphType.Sharing;
import io.keyslot.client.codec.graph.JdkTypes.Table;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.PriorityQueue;
import java.util.SortedSet;
import java.util.Stack;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The mutable collections of {@code java.util}. */
@SuppressWarnings("JdkObsolete") // Obsolete classes are values, too.
final class JdkCollections {
    /** The most elements of a set that compares each with each; a million would take minutes. */
    private static final int MAX_SCANNED = 10_000;

    private JdkCollections() {}

    static void addTo(Table table) {
        list(table, 50, ArrayList.class, ArrayList::new);
        list(table, 51, LinkedList.class, size -> new LinkedList<>());
        list(table, 52, ArrayDeque.class, ArrayDeque::new);
        list(table, 53, Vector.class, Vector::new);
        list(table, 54, Stack.class, size -> new Stack<>());
        list(table, 56, ConcurrentLinkedQueue.class, size -> new ConcurrentLinkedQueue<>());
        list(table, 57, ConcurrentLinkedDeque.class, size -> new ConcurrentLinkedDeque<>());
        // Built at once: each addition copies the whole.
        table.add(
                55,
                new BuiltCollection(Place.ORDERED, Order.AS_ITERATED, CopyOnWriteArrayList::new),
                Sharing.BY_CONTENT,
                CopyOnWriteArrayList.class);
        table.add(
                63,
                new BuiltCollection(
                        Place.HASHED, Order.AS_ITERATED, e -> new CopyOnWriteArraySet<>(Arrays.asList(e)), MAX_SCANNED),
                Sharing.BY_CONTENT,
                CopyOnWriteArraySet.class);
        hash(table, 59, HashSet.class, Order.SORTED_IF_ENUMS, size -> new HashSet<>(JdkMaps.capacity(size)));
        hash(table, 60, LinkedHashSet.class, Order.AS_ITERATED, size -> new LinkedHashSet<>(JdkMaps.capacity(size)));
        hash(table, 64, ConcurrentHashMap.newKeySet().getClass(), Order.SORTED_IF_ENUMS, ConcurrentHashMap::newKeySet);
        sorted(table, 61, TreeSet.class, SortedSet::comparator, TreeSet::new);
        sorted(table, 62, ConcurrentSkipListSet.class, SortedSet::comparator, ConcurrentSkipListSet::new);
        sorted(table, 58, PriorityQueue.class, PriorityQueue::comparator, PriorityQueue::new);
        table.add(
                65,
                new EnumSetSerializer(),
                Sharing.BY_CONTENT,
                EnumSet.noneOf(Elements.Place.class).getClass(),
                EnumSet.noneOf(Character.UnicodeScript.class).getClass());
    }

    private static void list(
            Table table, int number, Class<?> type, IntFunction<? extends Collection<@Nullable Object>> factory) {
        table.add(
                number, new CollectionSerializer(Place.ORDERED, Order.AS_ITERATED, factory), Sharing.BY_CONTENT, type);
    }

    private static void hash(
            Table table,
            int number,
            Class<?> type,
            Order order,
            IntFunction<? extends Collection<@Nullable Object>> factory) {
        table.add(number, new CollectionSerializer(Place.HASHED, order, factory), Sharing.BY_CONTENT, type);
    }

    private static <C extends Collection<@Nullable Object>> void sorted(
            Table table,
            int number,
            Class<?> type,
            Function<C, @Nullable Comparator<? super @Nullable Object>> comparator,
            Function<@Nullable Comparator<? super @Nullable Object>, C> factory) {
        table.add(number, new SortedSerializer<>(comparator, factory), Sharing.BY_CONTENT, type);
    }
}
